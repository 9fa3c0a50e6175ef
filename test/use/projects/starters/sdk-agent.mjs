// An agent on the official SDK: it does what the prompt names, and reports what came of it.

import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { agent, ndJsonStream } from "@agentclientprotocol/sdk";

const folder = process.cwd();
const turns = new Map();
let client;

const say = (text) =>
  client.notify("session/update", {
    sessionId: "s1",
    update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
  });
const call = (method, params) => client.request(method, { sessionId: "s1", ...params });

const DEEDS = {
  async files() {
    const path = join(folder, "by-agent.txt");
    await call("fs/write_text_file", { path, content: "one\ntwo\nthree\n" });
    const { content } = await call("fs/read_text_file", { path, line: 2, limit: 1 });
    await say(`read ${content}\n`);
    const failure = await call("fs/read_text_file", { path: join(folder, "none") }).catch(
      ({ code }) => code,
    );
    await say(`missing ${failure}\n`);
  },
  async terminal() {
    const script = "process.stdout.write('text' + 'é'.repeat(5)); process.exitCode = 3";
    const args = ["-e", script];
    const { terminalId } = await call("terminal/create", {
      command: process.execPath,
      args,
      cwd: folder,
      outputByteLimit: 9,
    });
    const { exitCode } = await call("terminal/wait_for_exit", { terminalId });
    const { output, truncated } = await call("terminal/output", { terminalId });
    await call("terminal/release", { terminalId });
    const released = await call("terminal/output", { terminalId }).catch(({ code }) => code);
    await say(`exit ${exitCode} output ${output} truncated ${truncated} released ${released}\n`);
  },
  async kill() {
    // A command that has started another with the same output: it ends when both have ended.
    const child = "setInterval(() => {}, 1000)";
    const script = `
      const { spawn } = require("node:child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "inherit" });
      console.log("ready");
      ${child}`;
    const args = ["-e", script];
    const { terminalId } = await call("terminal/create", { command: process.execPath, args });
    while ((await call("terminal/output", { terminalId })).output === "");
    await call("terminal/kill", { terminalId });
    const { signal } = await call("terminal/wait_for_exit", { terminalId });
    await call("terminal/release", { terminalId });
    await say(`killed ${signal}\n`);
  },
  async permission() {
    await client.notify("session/update", {
      sessionId: "s1",
      update: { sessionUpdate: "tool_call", toolCallId: "t1", title: "Delete everything" },
    });
    const { outcome } = await call("session/request_permission", {
      toolCall: { toolCallId: "t1" },
      options: [
        { optionId: "yes", name: "Yes", kind: "allow_once" },
        { optionId: "no", name: "No", kind: "reject_once" },
      ],
    });
    await say(`chosen ${outcome.optionId ?? outcome.outcome}\n`);
  },
  async wait(turn) {
    await say("waiting \u001b[31mred\n");
    await turn;
    return "cancelled";
  },
};

const app = agent({ name: "sdk" })
  .onRequest("initialize", ({ params }) => ({
    protocolVersion: 1,
    agentCapabilities: {},
    _meta: { received: params.clientCapabilities },
  }))
  .onRequest("session/new", () => ({ sessionId: "s1" }))
  .onRequest("session/prompt", async ({ params, client: peer }) => {
    client = peer;
    const cancelled = new Promise((resolve) => turns.set(params.sessionId, resolve));
    const stopReason = (await DEEDS[params.prompt[0].text](cancelled)) ?? "end_turn";
    return { stopReason };
  })
  .onNotification("session/cancel", ({ params }) => turns.get(params.sessionId)?.());

const stream = ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin));
await app.connect(stream).closed;
