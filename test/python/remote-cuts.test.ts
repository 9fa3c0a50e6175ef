import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { testCuts } from "../use/remote/cuts-between-languages.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { remoteTest } from "./run-python.js";

const PROGRAM = ["-W", "error", join(ROOT, "test/python/runtime/remote_work.py")];

testCuts(remoteTest, "Python", {
  serve: () => [PYTHON, ...PROGRAM, "serve"],
  take: (url, work) => [PYTHON, ...PROGRAM, "take", url, work],
  env: PYTHON_ENV,
});
