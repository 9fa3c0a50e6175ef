import { Readable, Writable } from "node:stream";
import * as sdk from "@agentclientprotocol/sdk";
import { RpcError } from "acp-bindings";
import { byteTransport } from "acp-bindings/stdio";
import { checkConformance } from "acp-bindings/conformance";
import { createClient, METHODS } from "acp-bindings/v1";
import { beforeAll, describe, expect, test } from "vitest";
import { callsOf, checkTranscript, type Conformance } from "./conformance.js";
import { converse, createHandlers, createHeard, facts, type Caller } from "./conversation.js";
import { createMessageOracle } from "./message-oracle.js";
import { callerOf, createSdkClient } from "./sides.js";
import { startAgent, type Entry, type Exit, type RecordedPeer, type Side } from "./transcript.js";

const judge = await createMessageOracle("v1");

interface Told {
  readonly transcript: readonly Entry[];
  readonly conformance: Conformance;
  readonly exit: Exit;
}

const CONVERSATIONS: readonly { title: string; ours: Side; talk: () => Promise<Told> }[] = [
  {
    title: "our client drives an agent on the official SDK",
    ours: "client",
    talk: async () => {
      const peer = startAgent("sdk-agent.mjs");
      const heard = createHeard();
      const { handlers, extensions } = createHandlers(
        heard,
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
      await converse(agent, heard);
      connection.close();
      await connection.closed;
      return endOf(peer);
    },
  },
  {
    title: "a client on the official SDK drives our agent",
    ours: "agent",
    talk: async () => {
      const peer = startAgent("bindings-agent.mjs");
      const heard = createHeard();
      const app = createSdkClient(heard);
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
        await converse(agent, heard);
      });
      return endOf(peer);
    },
  },
];

describe.each(CONVERSATIONS)("$title", ({ ours, talk }) => {
  let told: Told;
  beforeAll(async () => {
    told = await talk();
  }, 20_000);

  test("and every message conforms, by our validators and by the published schema", () => {
    expect(told.conformance.violations).toEqual([]);
  });

  test("and no message is lost or said twice", () => {
    // The client calls 21 requests and 3 notifications and answers 18 requests; the agent calls
    // these 18 and 21 notifications, 17 of them updates, and answers the 21 requests.
    expect(told.conformance.counts).toEqual({ client: 42, agent: 60 });
    expect(told.transcript).toHaveLength(102);
  });

  test("with every method of the protocol, and extensions both ways", () => {
    expect([...told.conformance.methods].sort()).toEqual(
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
    expect([...told.conformance.updates].sort()).toEqual(judge.updates.toSorted());
    expect(told.conformance.updates.size).toBe(14);
  });

  test("and the deliberate mistakes are all that is against the rules of behavior", () => {
    const entries = told.transcript.map(({ from, line }) => ({ from, message: JSON.parse(line) }));
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
    expect(told.conformance.errors).toEqual({
      client: [-32002, -32601, -32602, -32603, -32800],
      agent: [-32600, -32800, -32603, -32602, -32601, -32601],
    });
  });

  test("and our errors say where the mistake is, and nothing of the input or of an internal error", () => {
    const errors = told.transcript
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

  test("and what is replayed, and the updates of a turn, come before the answer", () => {
    const lines = told.transcript.map(({ line }) => line);
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

  test("and the referee would have noticed a lost, doubled or spoilt message", () => {
    const { transcript, conformance } = told;
    transcript.forEach(({ from, line }, index) => {
      const replaced = (...lines: readonly string[]): Conformance =>
        checkTranscript(
          transcript.toSpliced(index, 1, ...lines.map((text) => ({ from, line: text }))),
          judge,
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

  test("and the agent ends by itself, without a complaint of ours", () => {
    expect(told.exit.code).toBe(0);
    if (ours === "agent") expect(told.exit.errors).toBe("");
  });
});

const INITIALIZED = {
  protocolVersion: 1,
  agentInfo: facts.agentInfo,
  agentCapabilities: facts.agentCapabilities,
  authMethods: facts.authMethods,
};

async function endOf({ output, transcript, exited }: RecordedPeer): Promise<Told> {
  // The official SDK leaves the process's input open when its connection is closed.
  output.end();
  const exit = await exited;
  return { transcript, conformance: checkTranscript(transcript, judge), exit };
}
