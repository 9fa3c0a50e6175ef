import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ROOT } from "../support/paths.js";

/** The generated package and the tests of its runtime can be imported; nothing is written beside them. */
export const PYTHON_ENV = {
  ...process.env,
  PYTHONPATH: `${ROOT}out/python`,
  PYTHONDONTWRITEBYTECODE: "1",
};

/** The environment that `npm run python:tools` makes has the official package and the linters. */
const WITH_TOOLS = `${ROOT}node_modules/.cache/acp-python/bin/python`;

/** The interpreter of the tests. */
export const PYTHON = existsSync(WITH_TOOLS) ? WITH_TOOLS : "python3";

export const HAS_PYTHON = spawnSync(PYTHON, ["--version"]).status === 0;
