import { memoryTransports, type Transport } from "acp-bindings";
import * as acp from "acp-bindings/v1-unstable";
import { expect, test } from "vitest";
import { settled } from "../peers/in-memory.js";
import type { RawMessage } from "../peers/raw-peer.js";

/** A release may not have chains of proxies yet. */
const hasChains = acp.METHODS.some(
  ({ name }: { readonly name: string }) => name === "proxy/initialize",
);

/** Starts a proxy without handlers. Returns a function that sends it messages, and returns its own. */
function startProxy() {
  const [conductor, far] = memoryTransports();
  const proxy: object = acp.createProxy({ onError: () => {} });
  (proxy as { connectConductor(transport: Transport): unknown }).connectConductor(far);
  const received: RawMessage[] = [];
  const message = (value: unknown): void => void received.push(value as RawMessage);
  conductor.start({ message, invalid: () => {}, close: () => {} });
  return async (...messages: readonly object[]) => {
    for (const one of messages) void conductor.send({ jsonrpc: "2.0", ...one });
    await settled();
    return received.splice(0);
  };
}

const toAgent = (method: string, params: unknown): object => ({
  method: "proxy/successor",
  params: { method, params },
});

test.skipIf(!hasChains)(
  "a proxy that handles nothing passes everything on, in order and one hop at a time",
  async () => {
    const play = startProxy();
    const place = { cwd: "/", mcpServers: [] };
    expect(await play({ id: 101, method: "session/new", params: place })).toMatchObject([
      { id: 101, error: { code: -32600, message: "proxy/initialize comes first" } },
    ]);
    const hello = { protocolVersion: 1 };
    const [first] = await play({ id: 102, method: "proxy/initialize", params: hello });
    expect(first).toMatchObject(toAgent("initialize", hello));
    const greeting = { protocolVersion: 1, agentInfo: { name: "agent", version: "1" } };
    expect(await play({ id: first!.id, result: greeting })).toMatchObject([
      { id: 102, result: greeting },
    ]);
    expect(await play({ id: 103, method: "proxy/successor", params: {} })).toMatchObject([
      { id: 103, error: { code: -32602, data: { pointer: "/method" } } },
    ]);

    const prompt = { sessionId: "s", prompt: [{ type: "text", text: "Hi" }] };
    const [asked] = await play({ id: 1, method: "session/prompt", params: prompt });
    expect(asked).toMatchObject(toAgent("session/prompt", prompt));
    const updates = ["0", "1"].map((messageId) => {
      const content = { type: "text", text: "Hi" };
      return {
        sessionId: "s",
        update: { sessionUpdate: "agent_message_chunk", messageId, content },
      };
    });
    const result = { stopReason: "end_turn" };
    const said = updates.map((params) => toAgent("session/update", params));
    expect(await play(...said, { id: asked!.id, result })).toMatchObject([
      ...updates.map((params) => ({ method: "session/update", params })),
      { id: 1, result },
    ]);

    const [unknown] = await play({ id: 2, method: "_acme/none", params: { a: 1 } });
    expect(unknown).toMatchObject(toAgent("_acme/none", { a: 1 }));
    const error = { code: -32002, message: "Not found", data: { uri: "a" } };
    expect(await play({ id: unknown!.id, error })).toMatchObject([{ id: 2, error }]);

    const [waiting] = await play({ id: 3, method: "session/prompt", params: prompt });
    const cancel = (requestId: unknown): object => ({
      method: "$/cancel_request",
      params: { requestId },
    });
    expect(await play(cancel(3))).toMatchObject([
      cancel(waiting!.id),
      { id: 3, error: { code: -32800 } },
    ]);
    expect(await play({ id: waiting!.id, result: { stopReason: "cancelled" } })).toEqual([]);
  },
);
