import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import mutants from "./mutants.json" with { type: "json" };

test("the text that a mutant changes occurs in its file once", () => {
  const stale = mutants.filter(
    ({ file, from }) => readFileSync(join(ROOT, file), "utf8").split(from).length !== 2,
  );
  expect(stale.map(({ file, from }) => `${file}: ${from}`)).toEqual([]);
});

// Otherwise a run without tests counts as one that fails.
test("the tests of a mutant exist", () => {
  const named = mutants.flatMap(({ tests = [] }) => tests);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
