import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { readSources } from "./sources.js";

/** The line of the map that each folder or file stands on, by its path. */
const lines = readMap(readFileSync(join(ROOT, "generators/README.md"), "utf8"));
const sources = ["generators", "templates"].flatMap((folder) => readSources(folder));

test("the map has every folder with sources, and nothing else", () => {
  const folders = sources.flatMap(({ path }) => {
    const parts = path.split("/").slice(0, -1);
    return parts.map((_, depth) => parts.slice(0, depth + 1).join("/"));
  });
  const missing = folders.filter((path) => !lines.has(path) && !/\/starters\//.test(path));
  const gone = [...lines.keys()].filter((path) => !existsSync(join(ROOT, path)));
  expect({ missing: [...new Set(missing)], gone }).toEqual({ missing: [], gone: [] });
});

test("an entry of the map imports only what lies above it", () => {
  const crossed = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => {
        const [here, there] = siblingsOf(path, from).map((sibling) => lines.get(sibling));
        return here !== undefined && there !== undefined && here <= there;
      })
      .map(({ from }) => `${path} imports ${from}`),
  );
  expect(crossed).toEqual([]);
});

/** Returns the two entries of one folder that two files lie in, or are. */
function siblingsOf(a: string, b: string): readonly string[] {
  const [left, right] = [a.split("/"), b.split("/")];
  const depth = left.findIndex((part, index) => part !== right[index]);
  return depth < 0 ? [] : [left, right].map((parts) => parts.slice(0, depth + 1).join("/"));
}

/**
 * Reads the entries of the map. What is indented belongs to those entries of the last line with
 * less indentation that have it.
 */
function readMap(text: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const [, map] = /```\n([^]*?)```/.exec(text)!;
  const open: { readonly indent: number; readonly paths: readonly string[] }[] = [];
  for (const [number, line] of map!.trimEnd().split("\n").entries()) {
    const [, { length: indent }, entries] = /^( *)(\S+(?: \S+)*)/.exec(line)! as unknown as [
      string,
      string,
      string,
    ];
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const parents = open.at(-1)?.paths ?? [""];
    const paths = entries.split(" ").flatMap((entry) => {
      const names = parents.map((parent) => join(parent, entry).replace(/\/$/, ""));
      const present = names.filter((path) => existsSync(join(ROOT, path)));
      return present.length > 0 ? present : names.slice(0, 1);
    });
    for (const path of paths) found.set(path, number);
    open.push({ indent, paths });
  }
  return found;
}
