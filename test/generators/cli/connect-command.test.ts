import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { RemoteModule } from "../../../generators/tools/connect.js";
import * as remoteModule from "../../../templates/typescript/command/remote.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { listenTo, type Ended } from "../../support/processes.js";
import { startRemote, stopAll } from "../../use/remote/remote-agent.js";
import { NODE_ARGS, runCommand, startCommand } from "./run-command.js";

const folder = temporaryFolder();
afterEach(stopAll);

const INITIALIZE = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n`;
const OPENED = { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } };

/** Runs the command with an input that ends. */
function run(args: readonly string[], input = "", env = {}): Promise<Ended> {
  const child = startCommand(args, { env });
  const { ended } = listenTo(child);
  child.stdin!.end(input);
  return ended;
}

/** What the command says on a Node.js without a `WebSocket`. */
const OVER_HTTP = /^acp-codegen connect: connected over HTTP: there is no global WebSocket.*\n/;

test("an agent on another machine is like a program, whose last answers come after the end of the input", async () => {
  const { url, served } = await startRemote();
  const input = `${INITIALIZE}noise\n[1]\n`;
  const { code, out, err } = await run(["connect", url], input);
  const messages = out.trimEnd().split("\n");
  expect({ code, err: err.replace(OVER_HTTP, "") }).toEqual({ code: 0, err: "" });
  expect(messages.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { id: null, error: { code: -32700 } },
    { id: null, error: { code: -32600 } },
    OPENED,
  ]);
  await expect.poll(() => served).toEqual([{ isClosed: true }]);
});

test("its headers have variables of the environment", async () => {
  const { url } = await startRemote({
    authenticate: ({ headers }) => (headers.get("authorization") === "Bearer 7" ? "me" : undefined),
  });
  const header = ["--header", "Authorization: Bearer ${TOKEN}"];
  const good = await run(["connect", url, ...header], INITIALIZE, { TOKEN: "7" });
  expect(JSON.parse(good.out)).toMatchObject(OPENED);
  const bad = await run(["connect", url, ...header], INITIALIZE, { TOKEN: "8" });
  expect(bad).toMatchObject({ code: 3, out: "" });
  expect(bad.err.replace(OVER_HTTP, "")).toBe(
    `error: the connection to ${url} has failed: the server of the agent has answered 401: Unauthorized\n`,
  );
  const unset = await run(["connect", url, ...header], INITIALIZE);
  expect(unset).toMatchObject({ code: 2, out: "" });
  expect(unset.err).toContain("needs the variable TOKEN, which is not set");
});

test.each([
  ["agents.example", [], '"agents.example" is not a URL'],
  ["ftp://agents.example", [], "an agent cannot be reached over ftp:"],
  ["http://localhost", ["--header", "x"], "Expected a name and a value"],
  ["http://localhost", ["--header", "a b: c"], "Expected a name and a value"],
])("the address %s with %j is refused", async (url, flags, message) => {
  const { code, err } = await runCommand(["connect", url, ...flags]);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test.runIf(process.platform !== "win32")("a signal closes the connection first", async () => {
  const { url, served } = await startRemote();
  const child = startCommand(["connect", url]);
  child.stdin!.write(INITIALIZE);
  await once(child.stdout!, "data");
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
  await expect.poll(() => served).toEqual([{ isClosed: true }]);
});

test("an address stands for a command", async () => {
  const { url } = await startRemote();
  const probed = await runCommand(["probe", "--", url, "--http"]);
  expect(probed.out).toMatch(/session\/new +works/);
  const file = join(folder, "recording.ndjson");
  const args = ["inspect", "--record", file, "--", url, "--http"];
  const { code, out } = await run(args, INITIALIZE);
  expect({ code, answer: JSON.parse(out) as unknown }).toMatchObject({ code: 0, answer: OPENED });
  const recorded = readFileSync(file, "utf8").trimEnd().split("\n").slice(1);
  expect(recorded.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { from: "client", message: { method: "initialize" } },
    { from: "client", kind: "end" },
    { from: "agent", message: OPENED },
    { from: "agent", kind: "end" },
    { from: "agent", kind: "exit", code: 0 },
  ]);
});

test("the command has the types of the modules for other machines, and the build all of them", async () => {
  const module: RemoteModule = remoteModule;
  const built = (await import(NODE_ARGS[0]!.replace("cli/main.js", "remote.js"))) as object;
  expect(Object.keys(built).sort()).toEqual(Object.keys(module).sort());
});
