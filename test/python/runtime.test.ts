import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { pythonTest, runPython } from "./run-python.js";

const suites = readdirSync(`${ROOT}test/python/runtime`).filter((name) =>
  /^test_.*\.py$/.test(name),
);

pythonTest.each(suites)("the Python package passes %s", (name) => {
  const { code, err } = runPython(["-W", "error", `test/python/runtime/${name}`]);
  expect(err).toMatch(/^OK$/m);
  expect(code).toBe(0);
});
