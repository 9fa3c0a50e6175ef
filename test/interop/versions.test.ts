import { once } from "node:events";
import { PassThrough } from "node:stream";
import * as sdk1 from "@agentclientprotocol/sdk";
import * as sdk2 from "@agentclientprotocol/sdk/experimental/v2";
import { connectVersions, memoryTransports, serveVersions, type Transport } from "acp-bindings";
import { byteTransport } from "acp-bindings/stdio";
import * as v1 from "acp-bindings/v1";
import * as v2 from "acp-bindings/v2";
import { describe, expect, test } from "vitest";
import { settled } from "../use/peers/in-memory.js";

const info = { name: "versions", version: "1" };
const agent1 = v1.createAgent({
  info,
  handlers: {
    session: {
      new: () => ({ sessionId: "of version 1" }),
      prompt: () => ({ stopReason: "end_turn" }),
      cancel: () => {},
    },
  },
});
const agent2 = v2.createAgent({
  info,
  capabilities: { session: {} },
  handlers: {
    session: {
      new: () => ({ sessionId: "of version 2" }),
      prompt: () => ({ messageId: "m" }),
      list: () => ({ sessions: [] }),
      resume: () => ({}),
      close: () => ({}),
      cancel: () => {},
    },
  },
});
const client1 = v1.createClient({
  info,
  handlers: {
    session: { update: () => {}, requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
  },
});
const client2 = v2.createClient({
  info,
  handlers: {
    session: { update: () => {}, requestPermission: () => ({ outcome: { outcome: "cancelled" } }) },
  },
});

describe("one process serves both versions", () => {
  test("to a client on the official SDK, of either version", async () => {
    const [near, far] = sdkStreams();
    serveVersions([agent1, agent2], far);
    const first = await sdk1.client().connectWith(near, async (agent) => {
      await agent.request("initialize", { protocolVersion: 1 });
      return agent.request("session/new", { cwd: "/", mcpServers: [] });
    });
    expect(first.sessionId).toBe("of version 1");

    const [nearer, farther] = sdkStreams();
    serveVersions([agent1, agent2], farther);
    const second = await sdk2.client({ name: "v2" }).connectWith(nearer, async (agent) => {
      await agent.request("initialize", { protocolVersion: 2, info, capabilities: {} });
      return agent.request("session/new", { cwd: "/" });
    });
    expect(second.sessionId).toBe("of version 2");
  });

  test("and refuses requests before initialize, and unknown versions", async () => {
    const { send, received } = raw((transport) => serveVersions([agent2], transport));
    await send({ jsonrpc: "2.0", id: 1, method: "session/new", params: {} });
    await send({ jsonrpc: "2.0", method: "session/cancel", params: {} });
    await send({ jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: 1 } });
    await send([]);
    await send({ jsonrpc: "2.0", id: 3, method: "initialize", params: { protocolVersion: "2" } });
    const params = { protocolVersion: 3, info, capabilities: {} };
    await send({ jsonrpc: "2.0", id: 4, method: "initialize", params });
    await settled();
    expect(received).toMatchObject([
      { id: 1, error: { code: -32600, message: "initialize comes first" } },
      { id: 2, error: { code: -32022, data: { requested: 1, supported: [2] } } },
      { id: null, error: { code: -32600 } },
      { id: 3, error: { code: -32602, data: { pointer: "/protocolVersion" } } },
      { id: 4, result: { protocolVersion: 2 } },
    ]);
  });
});

describe("before the handshake of an agent of both versions", () => {
  test("notifications are reported by the agent that is chosen", async () => {
    const errors: unknown[] = [];
    const onError = (error: unknown): void => void errors.push(error);
    const { send } = raw((transport) =>
      serveVersions([v2.createAgent({ info, handlers: {}, onError })], transport),
    );
    await send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await send({ jsonrpc: "2.0", method: "_other" });
    const params = { protocolVersion: 2, info, capabilities: {} };
    await send({ jsonrpc: "2.0", id: 1, method: "initialize", params });
    await settled();
    expect(errors.map(String)).toEqual(
      ["session/cancel", "_other"].map(
        (method) => `AcpError: ${method} came before initialize was answered and was ignored`,
      ),
    );
  });

  test("a request that is too long is refused with its id", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const served = serveVersions([agent1], byteTransport(input, output, { maxLineBytes: 100 }));
    const params = { cwd: "x".repeat(100) };
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 5, method: "session/new", params })}\n`);
    const [line] = (await once(output, "data")) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ id: 5, error: { code: -32600 } });
    served.close();
    await served.closed;
  });
});

describe("a client of both versions", () => {
  test.each([
    ["version 1", () => agent1, 1],
    ["version 2", () => agent2, 2],
  ] as const)("agrees on %s with an agent of that version alone", async (_, agent, version) => {
    const [near, far] = memoryTransports();
    agent().connect(far);
    const connection = await connectVersions<v1.Client | v2.Client>([client1, client2], near);
    expect(connection.protocolVersion).toBe(version);
    connection.close();
  });

  test.each([1, 2])(
    "agrees with agents on the official SDK, behind its router: version %i",
    async (version) => {
      const [near, far] = sdkStreams();
      const first = sdk1.agent({ name: "one" }).onRequest("initialize", () => ({
        protocolVersion: 1,
        agentInfo: info,
      }));
      const second = sdk2.agent({ name: "two" }).onRequest("initialize", () => ({
        protocolVersion: 2,
        info,
        capabilities: {},
      }));
      const router = sdk2.agentProtocolRouter();
      router.withV1(first as never);
      if (version === 2) router.withV2(second as never);
      router.connect(far);
      const connection = await connectVersions<v1.Client | v2.Client>([client1, client2], near);
      expect(connection.protocolVersion).toBe(version);
      connection.close();
    },
  );
});

/** Two streams of messages that are connected, of the official SDK's shape. */
function sdkStreams(): [sdk1.Stream, sdk1.Stream] {
  const one = new TransformStream<sdk1.AnyMessage, sdk1.AnyMessage>();
  const two = new TransformStream<sdk1.AnyMessage, sdk1.AnyMessage>();
  return [
    { readable: one.readable, writable: two.writable },
    { readable: two.readable, writable: one.writable },
  ];
}

function raw(serve: (transport: Transport) => void): {
  send: (message: object) => Promise<void>;
  received: unknown[];
} {
  const [near, far] = memoryTransports();
  const received: unknown[] = [];
  near.start({
    message: (message) => void received.push(message),
    invalid: () => {},
    close: () => {},
  });
  serve(far);
  return { send: (message) => near.send(message), received };
}
