import { describe, expect, test } from "vitest";
import { asReceived, InvalidValueError, memoryTransports, serveVersions } from "acp-bindings";
import { defineAgent } from "acp-bindings/agent";
import * as v1 from "acp-bindings/v1";
import { ContentBlock, SessionNotification } from "acp-bindings/v1/schemas";
import * as v2 from "acp-bindings/v2";

const info = { name: "test", version: "1" };

/** Blocks as a later schema may have them, at any depth. */
const FUTURE = [
  { type: "text", text: "x", future: 1 },
  { type: "text", text: "x", annotations: { audience: ["user", "machine"], later: {} } },
  { type: "future_block", a: { b: 1 } },
  { type: "resource_link", uri: "file:///a", name: "a", future: [1] },
];

describe.each(FUTURE)("a received block can be sent again: %j", (block) => {
  test("by agents of version 2, which send prompts back", async () => {
    const one = v2.createAgent({
      info,
      handlers: {
        session: {
          new: () => ({ sessionId: "s" }),
          list: () => ({ sessions: [] }),
          resume: () => ({}),
          close: () => ({}),
          prompt: (_, { session }) => session.startTurn(async () => {}),
        },
      },
    });
    const both = defineAgent({ info, prompt: async () => {} });
    for (const start of [one.connect.bind(one), serveVersions.bind(undefined, both)]) {
      const { call, updates } = await raw(start as never, 2);
      const { sessionId } = (await call("session/new", { cwd: "/" })) as { sessionId: string };
      const params = { sessionId, prompt: [block] };
      expect(await call("session/prompt", params)).toHaveProperty("messageId");
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(updates[0]).toMatchObject({ sessionUpdate: "user_message", content: [block] });
      expect(updates.at(-1)).toMatchObject({ state: "idle", stopReason: "end_turn" });
    }
  });
});

describe("what an author has made is still checked", () => {
  const chunk = (content: unknown) =>
    ({ sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } }) as never;

  test("also around and inside of what was received", () => {
    const block = asReceived(
      JSON.parse('{"type":"text","text":"x","future":1}') as v1.ContentBlock,
    );
    expect(SessionNotification.encode(chunk(block))).toBeTruthy();
    expect(() => SessionNotification.encode(chunk({ ...block }))).toThrow(InvalidValueError);
    expect(() =>
      SessionNotification.encode({ ...(chunk(block) as object), extra: 1 } as never),
    ).toThrow("/extra: expected only declared properties");
    const changed = Object.assign(block, { annotations: { later: 1 } });
    expect(() => ContentBlock.encode(changed)).toThrow("/annotations/later");
  });

  test("and a received value has to be valid otherwise", () => {
    const block = asReceived({ type: "text", text: 5, future: 1 });
    expect(() => ContentBlock.encode(block as never)).toThrow("/text: expected string");
    expect(() => ContentBlock.encode(asReceived({ type: 5 }) as never)).toThrow("/type");
  });
});

/** A client without bindings. */
async function raw(start: (transport: never) => unknown, version: 1 | 2) {
  const [left, right] = memoryTransports();
  start(left as never);
  const updates: { readonly content?: unknown }[] = [];
  const waiting = new Map<number, (message: { readonly result?: unknown }) => void>();
  right.start({
    message: (message) => {
      const { id, params } = message as { id?: number; params: { update: object } };
      if (id === undefined) updates.push(params.update);
      else waiting.get(id)?.(message as object);
    },
    invalid: () => {},
    close: () => {},
  });
  let count = 0;
  const call = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++count;
      waiting.set(id, (message) => resolve(message.result ?? message));
      void right.send({ jsonrpc: "2.0", id, method, params });
    });
  await call("initialize", { protocolVersion: version, info, capabilities: {} });
  return { call, updates };
}
