import { join } from "node:path";
import type { PlayerProgram } from "../interop/transports/start-player.js";
import { ROOT } from "../support/paths.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";

/** The player of scripts in Python; see programs/player.py. */
export const pythonPlayer: PlayerProgram = {
  command: (profile, side, ...others) => [
    PYTHON,
    "-W",
    "error",
    join(ROOT, "test/python/programs/player.py"),
    side,
    profile,
    ...others,
  ],
  env: PYTHON_ENV,
};
