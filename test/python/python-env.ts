import { ROOT } from "../support/paths.js";

/** The generated package and the tests of its runtime can be imported; nothing is written beside them. */
export const PYTHON_ENV = {
  ...process.env,
  PYTHONPATH: `${ROOT}out/python`,
  PYTHONDONTWRITEBYTECODE: "1",
};
