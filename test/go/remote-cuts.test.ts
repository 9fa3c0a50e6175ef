import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterEach, beforeAll } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { stopAll } from "../use/remote/remote-agent.js";
import {
  OWN_ENDS,
  takeTurnWithCuts,
  type Ends,
  type TakenTurn,
} from "../use/remote/turn-with-cuts.js";
import { buildRemote, lacksLibraries, remoteTest, remoteText } from "./build-remote.js";
import { temporaryFolder } from "./go-test.js";

const folder = temporaryFolder();
let program = "";
beforeAll(() => {
  if (lacksLibraries) return;
  const files = { "main.go": remoteText("work.go"), "worker.go": remoteText("worker.go") };
  program = buildRemote(folder, "work", files);
}, 300_000);

const stops: (() => void)[] = [];

afterEach(() => {
  stopAll();
  for (const stop of stops.splice(0)) stop();
});

const GO_ENDS: Ends = {
  serve: async () => {
    const server = spawn(program, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
    stops.push(() => server.stdin.end());
    const lines = createInterface(server.stdout);
    const counts = { opened: 0, ended: 0 };
    const [port] = (await once(lines, "line")) as [string];
    lines.on("line", (line: "opened" | "ended") => counts[line]++);
    return { port: Number(port), count: () => ({ ...counts }) };
  },
  takeTurn: async (url, work) => {
    const { stdout } = await promisify(execFile)(program, [
      "take",
      "HTTP",
      url,
      JSON.stringify(work),
    ]);
    return JSON.parse(stdout) as TakenTurn;
  },
};

const PAIRS: readonly (readonly [client: string, server: string, ends: Ends])[] = [
  ["Go", "TypeScript", { ...GO_ENDS, serve: OWN_ENDS.serve }],
  ["TypeScript", "Go", { ...OWN_ENDS, serve: GO_ENDS.serve }],
  ["Go", "Go", GO_ENDS],
];

const TIME = IS_DEEP ? 60_000 : 0;
const seed = process.env["SEED"] ?? "20261126";

remoteTest.each(PAIRS)(
  "what a turn between a client in %s and a server in %s sends arrives once, in order, when connections are cut",
  async (_client, _server, ends) => {
    const end = Date.now() + TIME;
    const pause = IS_DEEP ? 20 : 5;
    let turn = 0;
    do await takeTurnWithCuts({ chunks: 300, questions: 150, pause }, `${seed} ${turn++}`, ends);
    while (Date.now() < end);
  },
  TIME + 120_000,
);
