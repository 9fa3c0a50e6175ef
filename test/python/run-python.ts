import { spawnSync } from "node:child_process";
import { test } from "vitest";
import { ROOT } from "../support/paths.js";
import { PYTHON_ENV } from "./python-env.js";

/** Runs Python with arguments and input. */
export function runPython(
  args: readonly string[],
  input = "",
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const result = spawnSync("python3", args, {
    cwd: ROOT,
    encoding: "utf8",
    input,
    env: PYTHON_ENV,
  });
  return { code: result.status, out: result.stdout, err: result.stderr };
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;
// Continuous integration has Python: without it, these tests fail instead of being skipped.
const isSkipped = !hasPython && process.env["CI"] !== "true";
if (isSkipped) console.log("python3 is not here: skipped the tests of the Python package");

/** A test that needs Python. */
export const pythonTest = test.skipIf(isSkipped);
