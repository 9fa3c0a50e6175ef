import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { ROOT } from "../support/paths.js";

/** With these, the generated package can be imported; its bytecode is kept, but not beside the sources. */
export const PYTHON_VARIABLES = {
  PYTHONPATH: `${ROOT}out/python`,
  PYTHONDONTWRITEBYTECODE: "",
  PYTHONPYCACHEPREFIX: `${ROOT}node_modules/.cache/acp-pycache`,
};

export const PYTHON_ENV = { ...process.env, ...PYTHON_VARIABLES };

/** The environment that the set-up of the system tier makes has the official package and the linters. */
const WITH_TOOLS = `${ROOT}node_modules/.cache/acp-python/bin/python`;

/** The interpreter of the tests. */
export const PYTHON = existsSync(WITH_TOOLS) ? WITH_TOOLS : "python3";

export const HAS_PYTHON = spawnSync(PYTHON, ["--version"]).status === 0;
