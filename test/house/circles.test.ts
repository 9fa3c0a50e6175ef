import { expect, test } from "vitest";
import { findCircles, type Tie } from "./find-circles.js";
import { readPythonSources } from "./python-sources.js";
import { readSources, type Source } from "./sources.js";

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
