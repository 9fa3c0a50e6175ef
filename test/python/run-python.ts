import { spawnSync } from "node:child_process";
import { test } from "vitest";
import { ROOT } from "../support/paths.js";
import { runToEnd, type Ended } from "../support/processes.js";
import { HAS_PYTHON, PYTHON, PYTHON_ENV } from "./python-env.js";

/** A program that hangs fails its test, in milliseconds. */
const TIME_LIMIT = 180_000;

/** Runs Python with arguments and input. */
export function runPython(
  args: readonly string[],
  input = "",
  variables: Readonly<Record<string, string>> = {},
): Ended {
  return runToEnd(PYTHON, args, {
    cwd: ROOT,
    input,
    timeout: TIME_LIMIT,
    killSignal: "SIGKILL",
    env: { ...PYTHON_ENV, ...variables },
  });
}

/** Whether tests of Python are skipped. Continuous integration has it: without it, these tests fail instead. */
export const isSkipped = !HAS_PYTHON && process.env["CI"] !== "true";
if (isSkipped) console.log("python3 is not here: skipped the tests of the Python package");

/** A test that needs Python. */
export const pythonTest = test.skipIf(isSkipped);

const hasTools = HAS_PYTHON && spawnSync(PYTHON, ["-c", "import acp"]).status === 0;
if (!hasTools && !isSkipped)
  console.log("the official Python package is not here: skipped the conversations with it");

/** A test that needs the official package, or hypothesis. */
export const toolsTest = test.skipIf(!hasTools);

/** A web server and clients of HTTP and WebSocket for Python. */
const REMOTE = "fastapi, httpx, uvicorn, websockets";
const hasRemote = HAS_PYTHON && spawnSync(PYTHON, ["-c", `import ${REMOTE}`]).status === 0;
/** Whether tests with them are skipped; continuous integration has them. */
export const lacksRemote = !hasRemote && process.env["CI"] !== "true";
if (lacksRemote && !isSkipped)
  console.log(`${REMOTE} are not here: skipped the remote conversations of Python`);

/** A test that needs them. */
export const remoteTest = test.skipIf(lacksRemote);
