import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { client as sdkClient, ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { createClient } from "acp-bindings/v1-unstable";
import { afterAll, describe, expect, test } from "vitest";
import { NODE_ARGS } from "../generators/cli/run-command.js";
import { recordedMessages } from "../use/samples/recorded-messages.js";

// Conversations of agents from npm, played to clients that know nothing of the recording.

const folder = mkdtempSync(join(tmpdir(), "acp-replayed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Side = "agent" | "client";
type Message = { readonly id?: number; readonly method?: string; readonly [name: string]: unknown };
interface Step {
  readonly from: Side;
  readonly message: Message;
}

/** Gives the payloads of a conversation their ids: a response answers the first open request of its method. */
function conversationOf(agent: string): Step[] {
  const open: { readonly id: number; readonly method: string; readonly from: Side }[] = [];
  const messages = recordedMessages().filter((one) => one.agent === agent && one.version === "v1");
  const start = messages.findLastIndex(
    ({ kind, method }) => kind === "request" && method === "initialize",
  );
  return messages.slice(start).map(({ from, kind, method, payload }, id): Step => {
    const base = { jsonrpc: "2.0" };
    if (kind === "notification") return { from, message: { ...base, method, params: payload } };
    if (kind === "request") {
      open.push({ id, method, from });
      return { from, message: { ...base, id, method, params: payload } };
    }
    const index = open.findIndex((one) => one.method === method && one.from !== from);
    const [asked] = open.splice(index, 1);
    return { from, message: { ...base, id: asked!.id, result: payload } };
  });
}

/** What the recorded client answers to a request of the agent; nothing harmful for any other. */
type Answer = (method: string) => object;

interface Caller {
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  readonly notify: (method: string, params: unknown) => Promise<void>;
  readonly close: () => void;
}

type Connect = (agent: ChildProcess, answer: Answer, update: () => void) => Promise<Caller>;

const CLIENTS: { readonly [name: string]: Connect } = {
  "our client": async (agent, answer, update) => {
    const { agent: peer, ...connection } = await openOurs(agent, answer, update);
    return {
      request: (method, params) =>
        method === "initialize" ? connection.hello : peer.request(method as never, params as never),
      notify: (method, params) => peer.notify(method as never, params as never),
      close: connection.close,
    };
  },
  "the official SDK's client": async (agent, answer, update) => {
    const app = sdkClient({ name: "replayed" })
      .onNotification("session/update", update)
      .onRequest("session/request_permission", () => answer("session/request_permission") as never)
      .onRequest("fs/write_text_file", () => answer("fs/write_text_file") as never);
    const connection = app.connect(streamOf(agent));
    return {
      request: (method, params) => connection.agent.request(method as never, params as never),
      notify: async (method, params) => connection.agent.notify(method as never, params as never),
      close: () => connection.close(),
    };
  },
};

function streamOf({ stdin, stdout }: ChildProcess) {
  return ndJsonStream(
    Writable.toWeb(stdin!),
    Readable.toWeb(stdout!) as ReadableStream<Uint8Array>,
  );
}

async function openOurs(agent: ChildProcess, answer: Answer, update: () => void) {
  const client = createClient({
    info: { name: "replayed", version: "1" },
    handlers: {
      session: {
        update,
        requestPermission: () => answer("session/request_permission") as never,
      },
      fs: { writeTextFile: () => answer("fs/write_text_file") as never },
    },
  });
  const connection = client.open(streamOf(agent) as never);
  const { handshake } = await connection.initialize();
  const hello = Promise.resolve(handshake.response as unknown);
  return { agent: connection.agent, hello, close: () => connection.close() };
}

describe.each(["codex-acp@2.6.0", "opencode@1.18.33", "qwen-code@0.24.4"])(
  "a recording of %s",
  (name) => {
    const steps = conversationOf(name);
    const file = join(folder, `${name}.ndjson`);
    writeFileSync(file, steps.map((step) => `${JSON.stringify(step)}\n`).join(""));
    const resultOf = (id: number | undefined, from: Side): unknown =>
      steps.find(
        (step) => step.from === from && step.message.id === id && step.message.method === undefined,
      )?.message["result"];

    test.each(Object.entries(CLIENTS))("is replayed to %s", async (_, connect) => {
      const agent = spawn(process.execPath, [...NODE_ARGS, "replay", file], { stdio: "pipe" });
      let err = "";
      agent.stderr.on("data", (text) => (err += String(text)));
      const asked: string[] = [];
      const answer: Answer = (method) => {
        asked.push(method);
        const request = steps.find(
          ({ from, message }) => from === "agent" && message.method === method,
        );
        return resultOf(request!.message.id, "client") as object;
      };
      let updates = 0;
      const caller = await connect(agent, answer, () => void updates++);
      for (const { from, message } of steps) {
        if (from !== "client" || message.method === undefined) continue;
        const { id, method, params } = message;
        if (id === undefined) await caller.notify(method, params);
        else if (resultOf(id, "agent") !== undefined)
          // Our client inserts defaults.
          expect(await caller.request(method, params), method).toMatchObject(
            resultOf(id, "agent") as object,
          );
      }
      const count = (from: Side, method: string): number =>
        steps.filter(({ from: sender, message }) => sender === from && message.method === method)
          .length;
      for (let left = 100; updates < count("agent", "session/update") && left > 0; left--)
        await wait(20);
      expect({ updates, err }).toEqual({ updates: count("agent", "session/update"), err: "" });
      expect(asked.sort()).toEqual(
        steps
          .filter(({ from, message }) => from === "agent" && message.id !== undefined)
          .flatMap(({ message }) => message.method ?? [])
          .sort(),
      );
      caller.close();
      agent.kill();
    });
  },
);
