import { PYTHON, PYTHON_VARIABLES } from "../python/python-env.js";
import { Driver } from "./play.js";

/** The drivers of the languages. */
export const DRIVERS = {
  typescript: () => new Driver(["node", "--no-warnings", "test/simulation/drive.mjs"]),
  python: () => new Driver([PYTHON, "test/simulation/drive.py"], PYTHON_VARIABLES),
};
