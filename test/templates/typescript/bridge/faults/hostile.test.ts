import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { BridgeCore } from "../../../../../templates/typescript/runtime/bridge/core.js";
import { STATE_LOSSES, TO_V1, TO_V2 } from "../../../../../out/typescript/src/bridge/tables.js";
import { LIMITS, BoundedMap } from "../../../../../templates/typescript/runtime/bridge/limits.js";
import { openCore } from "../open-core.js";
import { HELLO } from "../hello.js";

const S = "s";

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
    core.fromClient({ jsonrpc: "2.0", id: "hello", method: "initialize", params: HELLO.client1 });
    for (let id = 0; id <= LIMITS.early; id++)
      core.fromClient({ jsonrpc: "2.0", id, method: "session/list", params: {} });
    expect(sent.client).toMatchObject([{ id: LIMITS.early, error: { code: -32029 } }]);
    core.fromAgent({ jsonrpc: "2.0", id: "hello", result: HELLO.agent2 });
    expect(sent.agent.length).toBe(1 + LIMITS.early);
  });

  test("gets an error when too many of its requests are not answered", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.requests; id++)
      core.fromClient({ jsonrpc: "2.0", id, method: "session/list", params: {} });
    expect(sent.agent.length).toBe(LIMITS.requests);
    expect(sent.client).toMatchObject([{ id: LIMITS.requests, error: { code: -32029 } }]);
  });
});

describe("a prompt that waits", () => {
  const prompt = (core: BridgeCore, sessionId: string, id: number): void =>
    core.fromClient({
      jsonrpc: "2.0",
      id,
      method: "session/prompt",
      params: { sessionId, prompt: [] },
    });

  test("is answered when its session is one too many", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.sessions; id++) prompt(core, `s${id}`, id);
    expect(sent.client).toMatchObject([
      { id: 0, error: { message: "The bridge has too many sessions" } },
    ]);
  });

  test("is refused when too many of its session wait", () => {
    const { core, sent } = openCore(1);
    for (let id = 0; id <= LIMITS.prompts; id++) prompt(core, S, id);
    expect(sent.client).toMatchObject([{ id: LIMITS.prompts, error: { code: -32029 } }]);
    expect(sent.agent.length).toBe(LIMITS.prompts);
  });
});

describe("what an agent makes the bridge keep", () => {
  test.each([1, 2] as const)("is bounded, for a client of version %i", (version) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(version);
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
      for (const value of updates)
        core.fromAgent({
          jsonrpc: "2.0",
          method: "session/update",
          params: { sessionId: index % 2 === 0 ? S : id, update: value },
        });
      // Two questions under one id, which are both answered.
      for (let left = 2; left > 0; left--)
        core.fromAgent({
          jsonrpc: "2.0",
          id: id.padEnd(200),
          method: "elicitation/create",
          params: {
            sessionId: S,
            mode: "url",
            message: "?",
            elicitationId: id,
            url: "https://a.b",
          },
        });
      const result = { action: "decline" };
      for (const message of sent.client)
        if (message["method"] === "elicitation/create")
          core.fromClient({ jsonrpc: "2.0", id: message["id"], result });
      expect(sent.agent.splice(0).length).toBe(2);
      sent.client.length = 0;
      losses.length = 0;
    };
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const fill = (from: number): void => {
      for (let index = from; index < from + 10_000; index++) update(index);
    };
    fill(0);
    const before = heap();
    fill(10_000);
    fill(20_000);
    expect(heap() - before).toBeLessThan(4 * 1024 * 1024);
  });

  test("is bounded in bytes, too", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(1);
    const chunk = (sessionId: string, toolCallId: string, text: string): void => {
      const content = { type: "content", content: { type: "text", text } };
      core.fromAgent({
        jsonrpc: "2.0",
        method: "session/update",
        params: {
          sessionId,
          update: { sessionUpdate: "tool_call_content_chunk", toolCallId, content },
        },
      });
    };
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 300; index++) {
      // A new text each time, so that none is shared.
      const text = Buffer.alloc(2 ** 19, String(index)).toString("latin1");
      for (const half of ["1", "2"]) chunk(`s${index % 20}`, String(index), half + text);
      sent.client.length = 0;
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 * LIMITS.size);
    losses.length = 0;
    for (const half of ["a", "b", "c"]) chunk(S, "last", half + "x".repeat(LIMITS.contentSize / 2));
    expect(losses.map(({ place }) => place)).toContain("content-cut");
    expect(JSON.stringify(sent.client.at(-1)).length).toBeLessThan(1.1 * LIMITS.contentSize);
  });
});

describe("long and deep values", () => {
  const LONG = "x".repeat(2 ** 20);
  const update = (core: BridgeCore, sessionId: string, value: object): void =>
    core.fromAgent({
      jsonrpc: "2.0",
      method: "session/update",
      params: { sessionId, update: value },
    });

  test.each([1, 2] as const)("in ids are bounded, for a client of version %i", (version) => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { core, sent, losses } = openCore(version);
    // A new text each time, so that none is shared.
    const long = (index: number): string => Buffer.alloc(2 ** 18, `${index} `).toString("latin1");
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 600; index++) {
      const id = long(index);
      update(core, id, { sessionUpdate: "state_update", state: "running" });
      update(core, S, { sessionUpdate: "tool_call_update", toolCallId: id, title: "T" });
      update(core, S, { sessionUpdate: "agent_message", messageId: id, content: null });
      update(core, S, { sessionUpdate: "terminal_update", terminalId: id, command: id });
      const content = [{ type: "terminal", terminalId: "x" }];
      update(core, S, { sessionUpdate: "tool_call_update", toolCallId: id, content });
      core.fromAgent({ jsonrpc: "2.0", id, method: "_ask", params: {} });
      sent.client.length = 0;
      sent.agent.length = 0;
      losses.length = 0;
    }
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * LIMITS.size);
  });

  test("that may repeat a prompt are held as far as the limits allow", () => {
    const { core, sent } = openCore(1);
    core.fromClient({
      jsonrpc: "2.0",
      id: 1,
      method: "session/prompt",
      params: { sessionId: S, prompt: [] },
    });
    const content = [{ type: "text", text: LONG }];
    for (let index = 0; index < 10; index++)
      update(core, S, { sessionUpdate: "user_message", messageId: String(index), content });
    expect(sent.client.length).toBeGreaterThan(1);
  });

  test("are cut in the paths of losses", () => {
    const { core, losses } = openCore(1);
    losses.length = 0;
    const properties = { [LONG]: { type: "string", format: "_own" } };
    core.fromAgent({
      jsonrpc: "2.0",
      id: 1,
      method: "elicitation/create",
      params: {
        sessionId: S,
        mode: "form",
        message: "?",
        requestedSchema: { type: "object", properties },
      },
    });
    expect(losses.length).toBe(1);
    expect(losses[0]!.path.length).toBeLessThan(400);
  });

  test("of a terminal whose end is reported again are not sent again", () => {
    const { core, sent } = openCore(1);
    const content = [{ type: "terminal", terminalId: "t" }];
    update(core, S, { sessionUpdate: "tool_call_update", toolCallId: "c", title: "T", content });
    const end = { sessionUpdate: "terminal_update", terminalId: "t", exitStatus: { exitCode: 1 } };
    update(core, S, end);
    const count = sent.client.length;
    for (let index = 0; index < 100; index++) update(core, S, end);
    expect(sent.client.length).toBe(count);
  });
});
