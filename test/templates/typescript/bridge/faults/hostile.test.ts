import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { BridgeCore } from "../../../../../templates/typescript/runtime/bridge/core.js";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../../out/typescript/src/bridge/tables.js";
import { LIMITS, BoundedMap } from "../../../../../templates/typescript/runtime/bridge/limits.js";
import { ask, askClient, openCore, say, type OpenCore } from "../open-core.js";
import { HELLO } from "../hello.js";
import { IS_DEEP } from "../../../../support/deep.js";

const S = "s";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

/** Twice as many updates as a session keeps items; every second one is about another session. */
const MANY = IS_DEEP ? 10_000 : 2 * LIMITS.items;

describe("a peer that sends without end", () => {
  test("makes the bridge forget the least recently used", () => {
    const map = new BoundedMap<number, number>(10);
    for (let index = 0; index < 100; index++) {
      map.set(index, index);
      map.get(0);
    }
    expect([...map.values()].length).toBe(10);
    expect(map.get(0)).toBe(0);
    expect(map.get(98)).toBe(98);
    expect(map.get(50)).toBeUndefined();
  });

  test("makes the bridge forget by size as well, but never the only entry", () => {
    const forgotten: string[] = [];
    const map = new BoundedMap<string, string>(
      10,
      100,
      () => false,
      (value) => forgotten.push(value),
    );
    for (const key of ["a", "b", "c"]) {
      map.set(key, key);
      map.resize(key, 40);
    }
    expect({ size: map.size, forgotten }).toEqual({ size: 80, forgotten: ["a"] });
    map.resize("b", 500);
    expect({ size: map.size, forgotten }).toEqual({ size: 500, forgotten: ["a", "c"] });
    map.resize("unknown", 500);
    map.delete("b");
    expect(map.size).toBe(0);
  });

  test("gets an error when too many of its messages arrive before the handshake has ended", () => {
    const sent: { readonly client: object[]; readonly agent: object[] } = { client: [], agent: [] };
    const core = new BridgeCore({
      tables: { toV1: TO_V1, toV2: TO_V2, states: STATE_LOSSES },
      agentVersion: 2,
      onLoss: () => {},
      send: {
        client: (message) => void sent.client.push(message),
        agent: (message) => void sent.agent.push(message),
      },
    });
    ask({ core }, "hello", "initialize", HELLO.client1);
    for (let id = 0; id <= LIMITS.early; id++) ask({ core }, id, "session/list");
    expect(sent.client).toMatchObject([{ id: LIMITS.early, error: { code: -32029 } }]);
    core.fromAgent({ jsonrpc: "2.0", id: "hello", result: HELLO.agent2 });
    expect(sent.agent.length).toBe(1 + LIMITS.early);
  });

  test("gets an error when too many of its requests are not answered", () => {
    const open = openCore(1);
    const { sent } = open;
    for (let id = 0; id <= LIMITS.requests; id++) ask(open, id, "session/list");
    expect(sent.agent.length).toBe(LIMITS.requests);
    expect(sent.client).toMatchObject([{ id: LIMITS.requests, error: { code: -32029 } }]);
  });
});

describe("a prompt that waits", () => {
  const prompt = (open: OpenCore, sessionId: string, id: number): void =>
    ask(open, id, "session/prompt", { sessionId, prompt: [] });

  test("is answered when its session is one too many", () => {
    const open = openCore(1);
    for (let id = 0; id <= LIMITS.sessions; id++) prompt(open, `s${id}`, id);
    expect(open.sent.client).toMatchObject([
      { id: 0, error: { message: "The bridge has too many sessions" } },
    ]);
  });

  test("is refused when too many of its session wait", () => {
    const open = openCore(1);
    for (let id = 0; id <= LIMITS.prompts; id++) prompt(open, S, id);
    expect(open.sent.client).toMatchObject([{ id: LIMITS.prompts, error: { code: -32029 } }]);
    expect(open.sent.agent.length).toBe(LIMITS.prompts);
  });
});

describe("what an agent makes the bridge keep", () => {
  test.each([1, 2] as const)("is bounded, for a client of version %i", (version) => {
    const open = openCore(version);
    const { core, sent, losses } = open;
    const update = (index: number): void => {
      const id = String(index);
      const content = { type: "text", text: "x".repeat(100) };
      const updates = [
        { sessionUpdate: "agent_message_chunk", messageId: id, content },
        { sessionUpdate: "tool_call", toolCallId: id, title: id },
        {
          sessionUpdate: "tool_call_update",
          toolCallId: id,
          title: id,
          content: [{ type: "content", content }],
        },
        { sessionUpdate: "terminal_update", terminalId: id, command: id },
        { sessionUpdate: "plan_update", plan: { type: "items", planId: id, entries: [] } },
      ];
      for (const value of updates) say(open, value, index % 2 === 0 ? S : id);
      // Two questions under one id, which are both answered.
      const url = { mode: "url", message: "?", elicitationId: id, url: "https://a.b" };
      for (let left = 2; left > 0; left--)
        askClient(open, id.padEnd(200), "elicitation/create", { sessionId: S, ...url });
      const result = { action: "decline" };
      for (const message of sent.client)
        if (message["method"] === "elicitation/create")
          core.fromClient({ jsonrpc: "2.0", id: message["id"], result });
      expect(sent.agent.splice(0).length).toBe(2);
      sent.client.length = 0;
      losses.length = 0;
    };
    const fill = (from: number): void => {
      for (let index = from; index < from + MANY; index++) update(index);
    };
    fill(0);
    const before = heap();
    fill(MANY);
    fill(2 * MANY);
    expect(heap() - before).toBeLessThan(250 * MANY);
  });

  test("is bounded in bytes, too", () => {
    const open = openCore(1);
    const { sent, losses } = open;
    const chunk = (sessionId: string, toolCallId: string, text: string): void => {
      const content = { type: "content", content: { type: "text", text } };
      say(open, { sessionUpdate: "tool_call_content_chunk", toolCallId, content }, sessionId);
    };
    const before = heap();
    for (let index = 0; index < 300; index++) {
      // A new text each time, so that none is shared.
      const text = Buffer.alloc(2 ** 19, String(index)).toString("latin1");
      for (const half of ["1", "2"]) chunk(`s${index % 20}`, String(index), half + text);
      sent.client.length = 0;
    }
    expect(heap() - before).toBeLessThan(2 * LIMITS.size);
    losses.length = 0;
    for (const half of ["a", "b", "c"]) chunk(S, "last", half + "x".repeat(LIMITS.contentSize / 2));
    expect(losses.map(({ place }) => place)).toContain("content-cut");
    expect(JSON.stringify(sent.client.at(-1)).length).toBeLessThan(1.1 * LIMITS.contentSize);
  });
});

describe("long and deep values", () => {
  const LONG = "x".repeat(2 ** 20);
  test.each([1, 2] as const)("in ids are bounded, for a client of version %i", (version) => {
    const open = openCore(version);
    const { sent, losses } = open;
    // A new text each time, so that none is shared.
    const long = (index: number): string => Buffer.alloc(2 ** 18, `${index} `).toString("latin1");
    const before = heap();
    for (let index = 0; index < 600; index++) {
      const id = long(index);
      say(open, { sessionUpdate: "state_update", state: "running" }, id);
      say(open, { sessionUpdate: "tool_call_update", toolCallId: id, title: "T" });
      say(open, { sessionUpdate: "agent_message", messageId: id, content: null });
      say(open, { sessionUpdate: "terminal_update", terminalId: id, command: id });
      const content = [{ type: "terminal", terminalId: "x" }];
      say(open, { sessionUpdate: "tool_call_update", toolCallId: id, content });
      askClient(open, id, "_ask", {});
      sent.client.length = 0;
      sent.agent.length = 0;
      losses.length = 0;
    }
    expect(heap() - before).toBeLessThan(5 * LIMITS.size);
  });

  test("that may repeat a prompt are held as far as the limits allow", () => {
    const open = openCore(1);
    const { sent } = open;
    ask(open, 1, "session/prompt", { sessionId: S, prompt: [] });
    const content = [{ type: "text", text: LONG }];
    for (let index = 0; index < 10; index++)
      say(open, { sessionUpdate: "user_message", messageId: String(index), content });
    expect(sent.client.length).toBeGreaterThan(1);
  });

  test("are cut in the paths of losses", () => {
    const open = openCore(1);
    const { losses } = open;
    losses.length = 0;
    const properties = { [LONG]: { type: "string", format: "_own" } };
    const form = { mode: "form", message: "?", requestedSchema: { type: "object", properties } };
    askClient(open, 1, "elicitation/create", { sessionId: S, ...form });
    expect(losses.length).toBe(1);
    expect(losses[0]!.path.length).toBeLessThan(400);
  });

  test("of a terminal whose end is reported again are not sent again", () => {
    const open = openCore(1);
    const { sent } = open;
    const content = [{ type: "terminal", terminalId: "t" }];
    say(open, { sessionUpdate: "tool_call_update", toolCallId: "c", title: "T", content });
    const end = { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } };
    say(open, end);
    const count = sent.client.length;
    for (let index = 0; index < 100; index++) say(open, end);
    expect(sent.client.length).toBe(count);
  });
});
