import { expect, test } from "vitest";
import { readPythonSources } from "./python-sources.js";
import { readSources, type Source, type Import } from "./sources.js";

test.each(["generators", "templates"])("%s has no import circle, types included", (folder) => {
  expect(findCircles(readSources(folder)).map(describeCircle)).toEqual([]);
});

test("the Python runtime has no import circle, types included", () => {
  const sources = readPythonSources("templates/python");
  expect(sources.length).toBeGreaterThan(70);
  expect(findCircles(sources).map(describeCircle)).toEqual([]);
});

test("an import circle is found and printed with its imports", () => {
  const source = (path: string, from: string): Source => ({
    path,
    text: "",
    imports: [{ from, names: `import type { X } from "${from}"` }],
  });
  const circle = findCircles([source("a", "b"), source("b", "c"), source("c", "b")]);
  expect(circle.map(describeCircle)).toEqual([
    'b: import type { X } from "c"\nc: import type { X } from "b"',
  ]);
});

function describeCircle(circle: readonly Tie[]): string {
  return circle.map(({ path, tie }) => `${path}: ${tie.names}`).join("\n");
}

/** One import of a circle: which file, and what it imports from the next one. */
interface Tie {
  readonly path: string;
  readonly tie: Import;
}

/** Returns one circle for each group of files that reach each other. */
function findCircles(sources: readonly Source[]): Tie[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const circles: Tie[][] = [];
  const visit = (path: string, trail: Tie[]): void => {
    const start = trail.findIndex((tie) => tie.path === path);
    if (start >= 0) return void circles.push(trail.slice(start));
    if (done.has(path)) return;
    for (const tie of byPath.get(path)?.imports ?? [])
      if (byPath.has(tie.from)) visit(tie.from, [...trail, { path, tie }]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return circles;
}
