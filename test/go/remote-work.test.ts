import { beforeAll } from "vitest";
import { testClient } from "../use/remote/client-cases.js";
import { testCuts } from "../use/remote/cuts-between-languages.js";
import { testServer } from "../use/remote/server-cases.js";
import { startClient } from "../use/remote/start-client.js";
import { startServer } from "../use/remote/start-server.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { buildRemote, lacksLibraries, librariesTest, remoteText } from "./libraries.js";

const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  if (lacksLibraries) return;
  const files = { "main.go": remoteText("work.go"), "worker.go": remoteText("worker.go") };
  program = buildRemote(folder, "work", files);
}, 300_000);

testServer(librariesTest, (options) => startServer([program, "serve"], process.env, options));

testClient(librariesTest, (url, options) => startClient([program, "relay"], url, options));

testCuts(librariesTest, "Go", {
  serve: () => [program, "serve"],
  take: (url, work) => [program, "take", "HTTP", url, work],
});
