import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";
import { librariesTest } from "./libraries.js";
import { buildWithLibraries, MODULE } from "./toolchain.js";

const folder = temporaryFolder();
const session = { sessionId: "session-1" };
const ask = (id: number, method: string, params: object): object => {
  return { jsonrpc: "2.0", id, method, params };
};

/** Requests, and the messages that answer them. */
const TALK: readonly (readonly [request: object, ...answers: object[]])[] = [
  [
    ask(0, "initialize", { protocolVersion: 1 }),
    { jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } },
  ],
  [ask(1, "session/new", { cwd: "/", mcpServers: [] }), { jsonrpc: "2.0", id: 1, result: session }],
  [
    ask(2, "session/prompt", { ...session, prompt: [{ type: "text", text: "Hi" }] }),
    {
      jsonrpc: "2.0",
      method: "session/update",
      params: {
        ...session,
        update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } },
      },
    },
    { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } },
  ],
  [
    ask(3, "session/prompt", { ...session, prompt: [{ type: "text" }] }),
    {
      jsonrpc: "2.0",
      id: 3,
      error: {
        code: -32602,
        message: "Invalid params",
        data: { pointer: "/prompt/0/text", rule: "required" },
      },
    },
  ],
];

librariesTest(
  "the README's adapter puts the types under the connection of acp-go-sdk",
  async () => {
    const readme = readFileSync(join(MODULE, "README.md"), "utf8");
    const [adapter] = [...readme.matchAll(/^```go\n(package main[^]*?)^```$/gm)]
      .map(([, text]) => text!)
      .filter((text) => text.includes("sdk.NewConnection"));
    const program = spawn(buildWithLibraries(folder, "adapter", { "main.go": adapter! }));
    const lines = createInterface(program.stdout)[Symbol.asyncIterator]();
    for (const [request, ...answers] of TALK) {
      program.stdin.write(`${JSON.stringify(request)}\n`);
      for (const answer of answers) {
        const { value } = (await lines.next()) as { readonly value: string };
        expect(JSON.parse(value)).toEqual(answer);
      }
    }
    program.stdin.end();
    expect(await once(program, "close")).toEqual([0, null]);
  },
  300_000,
);
