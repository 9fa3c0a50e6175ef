import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { ROOT } from "../support/paths.js";
import { pythonTest, runPython } from "./run-python.js";

/** The only suites to run, as `test_stdio.py`; the environment variable has commas between them. */
const SUITES = (process.env["SUITES"] ?? "").split(",").filter((name) => name !== "");

const suites = readdirSync(`${ROOT}test/python/runtime`).filter(
  (name) => /^test_.*\.py$/.test(name) && (SUITES.length === 0 || SUITES.includes(name)),
);

pythonTest.each(suites)("the Python package passes %s", (name) => {
  const file = `test/python/runtime/${name}`;
  const { code, err } = runPython(["-W", "error", "test/python/run_tests.py", file]);
  expect(err).toMatch(/^OK( \(skipped=\d+\))?$/m);
  expect(code).toBe(0);
  const skipped = /^OK \(skipped=(\d+)\)$/m.exec(err)?.[1];
  if (skipped !== undefined)
    console.log(`${name}: skipped ${skipped} tests with packages that could not be installed`);
});
