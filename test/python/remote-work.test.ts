import { join } from "node:path";
import { ROOT } from "../support/paths.js";
import { testClient } from "../use/remote/client-cases.js";
import { testCuts } from "../use/remote/cuts-between-languages.js";
import { testServer } from "../use/remote/server-cases.js";
import { startClient } from "../use/remote/start-client.js";
import { startServer, type Command } from "../use/remote/start-server.js";
import { PYTHON, PYTHON_ENV } from "./python-env.js";
import { remoteTest } from "./run-python.js";

const PROGRAM = ["-W", "error", join(ROOT, "test/python/runtime/remote_work.py")];
const SERVE: Command = [PYTHON, ...PROGRAM, "serve"];

testServer(remoteTest, (options) => startServer(SERVE, PYTHON_ENV, options));

testClient(remoteTest, (url, options) =>
  startClient([PYTHON, ...PROGRAM, "relay"], url, options, PYTHON_ENV),
);

testCuts(remoteTest, "Python", {
  serve: () => SERVE,
  take: (url, work) => [PYTHON, ...PROGRAM, "take", url, work],
  env: PYTHON_ENV,
});
