import { Readable, Writable } from "node:stream";
import * as sdk from "@agentclientprotocol/sdk";
import { RpcError } from "acp-bindings";
import { byteTransport } from "acp-bindings/stdio";
import { checkConformance } from "acp-bindings/conformance";
import { createClient, METHODS } from "acp-bindings/v1";
import { beforeAll, describe, expect, test } from "vitest";
import { callsOf, checkTranscript, type Conformance } from "./conformance.js";
import {
  converse,
  createHandlers,
  createNotifications,
  facts,
  type Caller,
} from "./conversation.js";
import { messageOracle } from "./message-oracle.js";
import { callerOf, createSdkClient } from "./sides.js";
import { startAgent, type Entry, type Exit, type RecordedPeer, type Side } from "./transcript.js";

const oracle = await messageOracle("v1");

interface Recording {
  readonly transcript: readonly Entry[];
  readonly conformance: Conformance;
  readonly exit: Exit;
}

const CONVERSATIONS: readonly { title: string; ours: Side; record: () => Promise<Recording> }[] = [
  {
    title: "our client drives an agent on the official SDK",
    ours: "client",
    record: async () => {
      const peer = startAgent("sdk-agent.mjs");
      const notifications = createNotifications();
      const { handlers, extensions } = createHandlers(
        notifications,
        (path) => new RpcError(-32002, "Not found", { path }),
      );
      const client = createClient({
        info: facts.clientInfo,
        capabilities: facts.clientCapabilities,
        handlers,
        extensions,
        // It also makes mistakes.
        checkOutgoing: false,
        onError: () => {},
      });
      const connection = client.open(byteTransport(peer.input, peer.output));
      const agent = callerOf(connection.agent);
      await expect(agent.request("_vendor/early", {})).rejects.toMatchObject({ code: -32600 });
      expect((await connection.initialize()).handshake.response).toEqual(INITIALIZED);
      await converse(agent, notifications);
      connection.close();
      await connection.closed;
      return endOf(peer);
    },
  },
  {
    title: "a client on the official SDK drives our agent",
    ours: "agent",
    record: async () => {
      const peer = startAgent("bindings-agent.mjs");
      const notifications = createNotifications();
      const app = createSdkClient(notifications);
      const stream = sdk.ndJsonStream(Writable.toWeb(peer.output), Readable.toWeb(peer.input));
      await app.connectWith(stream, async (context) => {
        const agent: Caller = {
          keepsOrder: false,
          request: (method, params, signal) =>
            context.request(method, params, signal && { cancellationSignal: signal }),
          notify: (method, params) => context.notify(method, params),
        };
        await expect(agent.request("_vendor/early", {})).rejects.toMatchObject({ code: -32600 });
        const { clientCapabilities, clientInfo } = facts;
        const hello = { protocolVersion: 1, clientCapabilities, clientInfo };
        expect(await agent.request("initialize", hello)).toEqual(INITIALIZED);
        await converse(agent, notifications);
      });
      return endOf(peer);
    },
  },
];

describe.each(CONVERSATIONS)("$title", ({ ours, record }) => {
  let recording: Recording;
  beforeAll(async () => {
    recording = await record();
  }, 20_000);

  test("and every message conforms, by our validators and by the published schema", () => {
    expect(recording.conformance.violations).toEqual([]);
  });

  test("and no message is lost or duplicated", () => {
    // The client calls 21 requests and 3 notifications and answers 18 requests; the agent calls
    // these 18 and 21 notifications, 17 of them updates, and answers the 21 requests.
    expect(recording.conformance.counts).toEqual({ client: 42, agent: 60 });
    expect(recording.transcript).toHaveLength(102);
  });

  test("with every method of the protocol, and extensions both ways", () => {
    expect([...recording.conformance.methods].sort()).toEqual(
      [
        ...callsOf(METHODS),
        "agent notification _vendor/ping",
        "agent request _vendor/early",
        "agent request _vendor/echo",
        "agent request _vendor/unknown",
        "agent request _vendor/wait",
        "client notification _vendor/note",
        "client notification _vendor/pong",
        "client request _vendor/echo",
        "client request _vendor/wait",
      ].sort(),
    );
  });

  test("with every kind of session update", () => {
    expect([...recording.conformance.updates].sort()).toEqual(oracle.updates.toSorted());
    expect(recording.conformance.updates.size).toBe(14);
  });

  test("and only the deliberate mistakes break the rules of behavior", () => {
    const entries = recording.transcript.map(({ from, line }) => ({
      from,
      message: JSON.parse(line),
    }));
    const broken = checkConformance(entries, { methods: METHODS }).filter(
      ({ level }) => level === "error",
    );
    expect(broken.map(({ rule }) => rule)).toEqual([
      "initialize-first",
      "extension-prefix",
      "extension-prefix",
    ]);
  });

  test("and every mistake is answered with the code for it", () => {
    expect(recording.conformance.errors).toEqual({
      client: [-32002, -32601, -32602, -32603, -32800],
      agent: [-32600, -32800, -32603, -32602, -32601, -32601],
    });
  });

  test("and our errors name the place of the mistake, and contain neither input nor internal errors", () => {
    const errors = recording.transcript
      .filter(({ from }) => from === ours)
      .map(({ line }) => JSON.parse(line) as { error?: { code: number; data?: unknown } })
      .flatMap(({ error }) => (error === undefined ? [] : [error]));
    expect(errors).toHaveLength(ours === "client" ? 5 : 6);
    expect(JSON.stringify(errors)).not.toContain(facts.secret);
    expect(errors.find(({ code }) => code === -32602)?.data).toEqual(
      ours === "client"
        ? { pointer: "/path", rule: "type" }
        : { pointer: "/prompt/0/text", rule: "type" },
    );
    for (const { code, data } of errors)
      if (code !== -32602 && code !== -32002) expect(data).toBeUndefined();
  });

  test("and replayed messages and the updates of a turn precede the response", () => {
    const lines = recording.transcript.map(({ line }) => line);
    const positions = (text: string): number[] =>
      lines.flatMap((line, index) => (line.includes(text) ? [index] : []));
    const [turn, , , , replay] = [
      ...positions('"method":"session/prompt"'),
      ...positions('"method":"session/load"'),
    ];
    const answered = (asked: number): number => {
      const { id } = JSON.parse(lines[asked]!) as { id: number };
      return lines.findIndex(
        (line, index) => index > asked && new RegExp(`"id":${id},"result"`).test(line),
      );
    };
    const updatesIn = (asked: number): number =>
      positions('"method":"session/update"').filter(
        (position) => position > asked && position < answered(asked),
      ).length;
    expect(updatesIn(turn!)).toBe(14);
    expect(updatesIn(replay!)).toBe(2);
  });

  test("and the checker notices a lost, duplicated or corrupted message", () => {
    const { transcript, conformance } = recording;
    transcript.forEach(({ from, line }, index) => {
      const replaced = (...lines: readonly string[]): Conformance =>
        checkTranscript(
          transcript.toSpliced(index, 1, ...lines.map((text) => ({ from, line: text }))),
          oracle,
        );
      const message = JSON.parse(line) as object;
      expect(replaced()).not.toEqual(conformance);
      expect(replaced(line, line)).not.toEqual(conformance);
      const spoilt = [
        line.slice(0, -1),
        JSON.stringify({ ...message, jsonrpc: "1.0" }),
        JSON.stringify({ ...message, extra: true }),
        JSON.stringify({ ...message, ...("id" in message ? { id: "other" } : { id: 99 }) }),
      ];
      for (const other of spoilt) expect(replaced(other).violations).not.toEqual([]);
    });
  });

  test("and the agent exits by itself, without errors of ours", () => {
    expect(recording.exit.code).toBe(0);
    if (ours === "agent") expect(recording.exit.errors).toBe("");
  });
});

const INITIALIZED = {
  protocolVersion: 1,
  agentInfo: facts.agentInfo,
  agentCapabilities: facts.agentCapabilities,
  authMethods: facts.authMethods,
};

async function endOf({ output, transcript, exited }: RecordedPeer): Promise<Recording> {
  // The official SDK leaves the process's input open when its connection is closed.
  output.end();
  const exit = await exited;
  return { transcript, conformance: checkTranscript(transcript, oracle), exit };
}
