import { describe, expect, test } from "vitest";
import {
  SessionsV2,
  SessionStateV2,
  type GeneralUpdateV2,
} from "../../../../templates/runtime/session/index.js";
import { deepFreeze } from "./snapshot.js";

const text = (value: string) => ({ type: "text", text: value });
const chunk = (messageId: string, value: string, fields: object = {}): GeneralUpdateV2 => ({
  sessionUpdate: "agent_message_chunk",
  messageId,
  content: text(value),
  ...fields,
});
const upsert = (messageId: string, fields: object = {}): GeneralUpdateV2 => ({
  sessionUpdate: "agent_message",
  messageId,
  ...fields,
});
const clear = (messageId: string): GeneralUpdateV2 => ({
  sessionUpdate: "agent_message_clear",
  messageId,
});
const toolCall = (fields: object = {}): GeneralUpdateV2 => ({
  sessionUpdate: "tool_call_update",
  toolCallId: "t",
  ...fields,
});

describe("a message", () => {
  test("is created by its first chunk or update, and keeps its place", () => {
    const state = fold(upsert("1"), chunk("2", "b"), chunk("1", "a"));
    expect(state.messages.map(({ messageId, content }) => [messageId, content])).toEqual([
      ["1", [text("a")]],
      ["2", [text("b")]],
    ]);
  });

  test("receives its own chunks when several messages are interleaved", () => {
    expect(contents(chunk("1", "a"), chunk("2", "x"), chunk("1", "b"), chunk("2", "y"))).toEqual([
      [text("ab")],
      [text("xy")],
    ]);
  });

  test("has its content replaced by a list, gathered chunks included", () => {
    expect(contents(chunk("1", "a"), upsert("1", { content: [text("b"), text("c")] }))).toEqual([
      [text("b"), text("c")],
    ]);
  });

  test("keeps its content where an update has none", () => {
    expect(contents(chunk("1", "a"), upsert("1", { _meta: {} }))).toEqual([[text("a")]]);
  });

  test.each([null, []])("is emptied by content of %j", (content) => {
    expect(contents(chunk("1", "a"), upsert("1", { content }))).toEqual([[]]);
  });

  test("continues after an update with the next chunks", () => {
    expect(contents(upsert("1", { content: [text("a")] }), chunk("1", "b"))).toEqual([
      [text("ab")],
    ]);
  });

  test("has its id among the messages of its kind only", () => {
    const { messages } = fold(
      chunk("1", "a"),
      { sessionUpdate: "agent_thought", messageId: "1", content: [text("b")] },
      { sessionUpdate: "user_message_chunk", messageId: "1", content: text("c") },
      { sessionUpdate: "user_message", messageId: "1", content: null },
      { sessionUpdate: "agent_thought_chunk", messageId: "1", content: text("d") },
    );
    expect(messages.map(({ kind, content }) => [kind, content])).toEqual([
      ["agent_message", [text("a")]],
      ["agent_thought", [text("bd")]],
      ["user_message", []],
    ]);
  });

  test("is emptied by agent_message_clear, if it exists", () => {
    const state = fold(chunk("1", "a"), clear("1"), chunk("1", "b"), clear("unknown"));
    expect(state.messages.map(({ content }) => content)).toEqual([[text("b")]]);
    expect(state.revision).toBe(3);
  });

  test("is not changed by the metadata of chunks", () => {
    const state = fold(upsert("1", { _meta: { a: 1 } }), chunk("1", "x", { _meta: { b: 2 } }));
    expect(state.messages[0]!._meta).toEqual({ a: 1 });
  });
});

describe("metadata", () => {
  test("is merged by top-level key: null removes a key, a value replaces it as a whole", () => {
    const state = fold(
      upsert("1", { _meta: { a: 1, b: { x: 1 }, c: 3 } }),
      upsert("1", { _meta: { a: null, b: { y: 2 } } }),
      upsert("1"),
    );
    expect(state.messages[0]!._meta).toEqual({ b: { y: 2 }, c: 3 });
    expect(state.apply(upsert("1", { _meta: null })).messages[0]).not.toHaveProperty("_meta");
  });

  test("may have any key", () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":1}') as object;
    const { _meta } = fold(upsert("1", { _meta: odd })).messages[0]!;
    expect(JSON.stringify(_meta)).toBe(JSON.stringify(odd));
    expect(({} as { a?: number }).a).toBeUndefined();
  });

  test("of an update is never changed", () => {
    const first = deepFreeze(upsert("1", { _meta: { a: 1 } }));
    fold(first, upsert("1", { _meta: { a: null, b: 1 } }));
    expect(first).toEqual(upsert("1", { _meta: { a: 1 } }));
  });
});

describe("a tool call", () => {
  test("starts with its defaults", () => {
    expect(fold(toolCall()).toolCalls.get("t")).toEqual({
      toolCallId: "t",
      kind: "other",
      status: "pending",
      content: [],
      locations: [],
      revision: 1,
    });
  });

  test("is patched: absence keeps, null clears or resets, a value replaces", () => {
    const full = {
      name: "n",
      title: "t",
      kind: "read",
      status: "completed",
      content: [{ type: "diff" }],
      locations: [{ path: "/a" }],
      rawInput: 1,
      rawOutput: 2,
      capabilities: { cancel: {} },
      _meta: { a: 1 },
    };
    const state = fold(toolCall(full), toolCall());
    expect(state.toolCalls.get("t")).toEqual({ toolCallId: "t", ...full, revision: 2 });
    state.apply(toolCall({ capabilities: { other: 1 }, _meta: { b: 2 } }));
    expect(state.toolCalls.get("t")).toMatchObject({ _meta: { a: 1, b: 2 } });
    expect(state.toolCalls.get("t")!.capabilities).toEqual({ other: 1 });
    state.apply(toolCall(Object.fromEntries(Object.keys(full).map((field) => [field, null]))));
    expect(state.toolCalls.get("t")).toEqual({
      toolCallId: "t",
      kind: "other",
      status: "pending",
      content: [],
      locations: [],
      revision: 4,
    });
  });

  test("gets chunks at the end of its content, in a list of its own, also before all else", () => {
    const add = (content: { type: string }): GeneralUpdateV2 => ({
      sessionUpdate: "tool_call_content_chunk",
      toolCallId: "t",
      content,
    });
    const list = deepFreeze([{ type: "terminal", terminalId: "x" }]);
    const state = fold(add({ type: "diff" }));
    expect(state.toolCalls.get("t")).toMatchObject({ status: "pending" });
    state.apply(toolCall({ content: list })).apply(add({ type: "content" }));
    expect(state.toolCalls.get("t")!.content).toEqual([...list, { type: "content" }]);
  });
});

test("items of a tool call are never joined", () => {
  const item: GeneralUpdateV2 = {
    sessionUpdate: "tool_call_content_chunk",
    toolCallId: "t",
    content: text("a"),
  };
  expect(fold(item, item).toolCalls.get("t")!.content).toEqual([text("a"), text("a")]);
});

describe("a terminal", () => {
  const update = (fields: object): GeneralUpdateV2 => ({
    sessionUpdate: "terminal_update",
    terminalId: "x",
    ...fields,
  });
  const output = (data: string): GeneralUpdateV2 => ({
    sessionUpdate: "terminal_output_chunk",
    terminalId: "x",
    data,
  });

  test("gathers output in pieces that are encoded on their own", () => {
    expect(fold(output("YQ=="), output("Yg==")).terminals.get("x")).toEqual({
      terminalId: "x",
      output: { chunks: ["YQ==", "Yg=="] },
      revision: 2,
    });
  });

  test("has its output replaced by a snapshot, removed by null, kept by absence", () => {
    const snapshot = deepFreeze(
      update({ command: "ls", output: { data: "Yg==", _meta: { a: 1 } } }),
    );
    const state = fold(output("YQ=="), snapshot, output("Yw=="), update({ exitStatus: {} }));
    expect(state.terminals.get("x")).toEqual({
      terminalId: "x",
      command: "ls",
      output: { chunks: ["Yg==", "Yw=="], _meta: { a: 1 } },
      exitStatus: {},
      revision: 4,
    });
    state.apply(update({ output: null, command: null, exitStatus: null }));
    expect(state.terminals.get("x")).toEqual({ terminalId: "x", revision: 5 });
  });
});

describe("plans", () => {
  test("are replaced by id, also by unknown forms", () => {
    const plan = (type: string): GeneralUpdateV2 => ({
      sessionUpdate: "plan_update",
      plan: { type, planId: "p" },
    });
    const { plans } = fold(plan("items"), plan("_mine"));
    expect([...plans]).toEqual([["p", plan("_mine")]]);
  });
});

describe("usage", () => {
  const usage = (used: number, fields: object = {}): GeneralUpdateV2 => ({
    sessionUpdate: "usage_update",
    used,
    size: 9,
    ...fields,
  });
  const cost = { amount: 1, currency: "EUR" };

  test("keeps the last reported cost until null removes it", () => {
    expect(fold(usage(1, { cost }), usage(2)).usage).toEqual(usage(2, { cost }));
    expect(fold(usage(1, { cost }), usage(2, { cost: null }), usage(3)).usage).toEqual(usage(3));
  });
});

describe("the session's information", () => {
  test("is patched, its metadata by top-level key", () => {
    const info = (fields: object): GeneralUpdateV2 => ({
      sessionUpdate: "session_info_update",
      ...fields,
    });
    const state = fold(info({ title: "a", _meta: { x: 1 } }), info({ _meta: { y: 2 } }));
    expect(state.info).toEqual({ title: "a", _meta: { x: 1, y: 2 }, revision: 2 });
    expect(state.apply(info({ title: null, _meta: null })).info).toEqual({ revision: 3 });
  });
});

describe("the state of the foreground work", () => {
  test("is the last report as a whole, and absent before the first", () => {
    expect(fold().state).toBeUndefined();
    const idle = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" } as const;
    expect(fold({ sessionUpdate: "state_update", state: "running" }, idle).state).toBe(idle);
  });
});

describe("an update of the other version", () => {
  test.each([
    { sessionUpdate: "tool_call", toolCallId: "t", title: "" },
    { sessionUpdate: "plan", entries: [] },
    { sessionUpdate: "current_mode_update", currentModeId: "m" },
    { sessionUpdate: "agent_message_clear" },
    { sessionUpdate: "agent_message_chunk", content: text("a") },
  ])("is kept as one that is not known: %j", (odd) => {
    const state = fold(odd as unknown as GeneralUpdateV2);
    expect(state.others.items).toEqual([odd]);
    expect(state.timeline).toEqual([]);
  });
});

test("sessions are independent", () => {
  const all = new SessionsV2();
  all.apply({ sessionId: "a", update: chunk("1", "a") });
  const { messages } = all.apply({ sessionId: "b", update: chunk("1", "b") });
  expect(messages.map(({ content }) => content)).toEqual([[text("b")]]);
  expect(all.get("a")!.messages[0]!.content).toEqual([text("a")]);
  expect(all.forget("a")).toBe(true);
  expect([...all.sessions.keys()]).toEqual(["b"]);
});

function fold(...updates: readonly GeneralUpdateV2[]): SessionStateV2 {
  const state = new SessionStateV2();
  for (const update of updates) state.apply(update);
  return state;
}

function contents(...updates: readonly GeneralUpdateV2[]): unknown[] {
  return fold(...updates).messages.map(({ content }) => content);
}
