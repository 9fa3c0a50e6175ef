import { expect, test } from "vitest";
import { recordFigures, worseFigures } from "./compare.js";
import { findMutualFolders } from "./find-mutual-folders.js";
import type { Source } from "./sources.js";

const RECORDED = {
  lines: { value: 10, reason: "A new rule." },
  "mutants that a script kills": { value: 3 },
};

test("more lines, fewer scripts and a new figure are worse", () => {
  const worse = (now: { readonly [name: string]: number }) => worseFigures(RECORDED, now);
  expect(worse({ lines: 9, "mutants that a script kills": 4 })).toEqual([]);
  expect(worse({ lines: 11, "mutants that a script kills": 2, pairs: 1 })).toEqual([
    "lines",
    "mutants that a script kills",
    "pairs",
  ]);
});

test("a recorded figure keeps the reason for its last rise", () => {
  const { lines, pairs } = recordFigures(RECORDED, { lines: 9, pairs: 1 }, "A new pair.");
  expect(lines).toEqual({ value: 9, reason: "A new rule." });
  expect(pairs).toEqual({ value: 1, reason: "A new pair." });
});

test("sibling folders that import each other are found, however deep the files lie", () => {
  const source = (path: string, ...imports: string[]): Source => ({
    path,
    text: "",
    imports: imports.map((from) => ({ from, names: "" })),
  });
  const pairs = findMutualFolders([
    source("a/one/x.ts", "a/two/deep/y.ts", "a/z.ts"),
    source("a/two/deep/y.ts"),
    source("a/two/w.ts", "a/one/x.ts"),
    source("a/z.ts", "a/one/x.ts"),
  ]);
  expect([...pairs]).toEqual([
    ["a/one <-> a/two", ["a/one/x.ts imports a/two/deep/y.ts", "a/two/w.ts imports a/one/x.ts"]],
  ]);
});
