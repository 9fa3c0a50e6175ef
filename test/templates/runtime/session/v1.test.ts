import { describe, expect, test } from "vitest";
import {
  SessionsV1,
  SessionStateV1,
  type AnyUpdate,
  type GeneralUpdateV1,
} from "../../../../templates/runtime/session/index.js";
import { deepFreeze } from "./snapshot.js";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: "", mimeType: "image/png" };
const chunk = (
  kind: "user_message" | "agent_message" | "agent_thought",
  value: string,
  id?: string,
) =>
  ({
    sessionUpdate: `${kind}_chunk`,
    content: text(value),
    ...(id !== undefined && { messageId: id }),
  }) as GeneralUpdateV1;
const agent = (value: string, id?: string) => chunk("agent_message", value, id);
const thought = (value: string, id?: string) => chunk("agent_thought", value, id);
const user = (value: string, id?: string) => chunk("user_message", value, id);
const clear = (id?: string) =>
  ({ sessionUpdate: "agent_message_clear", ...(id !== undefined && { messageId: id }) }) as const;
const toolCall = (toolCallId: string, fields: object = {}) =>
  ({ sessionUpdate: "tool_call", toolCallId, title: "Read", ...fields }) as GeneralUpdateV1;
const usage = () => ({ sessionUpdate: "usage_update", used: 1, size: 2 }) as GeneralUpdateV1;
const toolUpdate = (toolCallId: string, fields: object) =>
  ({ sessionUpdate: "tool_call_update", toolCallId, ...fields }) as GeneralUpdateV1;

describe("a chunk", () => {
  test("continues the message of its kind that is last", () => {
    expect(shown(agent("a"), agent("b"))).toEqual(["agent: ab"]);
  });

  test("starts a message when another kind of message came in between", () => {
    expect(shown(agent("a"), thought("b"), agent("c"), user("d"))).toEqual([
      "agent: a",
      "thought: b",
      "agent: c",
      "user: d",
    ]);
  });

  test("starts a message when a tool call began in between, so that the order can be shown", () => {
    const state = fold(agent("a"), toolCall("t"), agent("b"), toolUpdate("t", {}), agent("c"));
    expect(messages(state)).toEqual(["agent: a", "agent: bc"]);
    expect(state.timeline.map(({ type }) => type)).toEqual(["message", "tool_call", "message"]);
  });

  test("is joined to its message across updates outside of the timeline", () => {
    const plan = { sessionUpdate: "plan", entries: [] } as const;
    const mode = { sessionUpdate: "current_mode_update", currentModeId: "ask" } as const;
    expect(shown(agent("a"), plan, mode, agent("b"))).toEqual(["agent: ab"]);
  });

  test("with a new message id starts a message", () => {
    expect(shown(agent("a", "1"), agent("b", "2"), agent("c"))).toEqual([
      "agent(1): a",
      "agent(2): bc",
    ]);
  });

  test("with a message id starts a message after one without", () => {
    expect(shown(agent("a"), agent("b", "1"))).toEqual(["agent: a", "agent(1): b"]);
  });

  test("with a known message id belongs to that message, wherever it is", () => {
    expect(shown(agent("a", "1"), user("b"), agent("c", "1"))).toEqual(["agent(1): ac", "user: b"]);
  });

  test("belongs only to a message of its kind with its id", () => {
    expect(shown(agent("a", "1"), thought("b", "1"), agent("c", "1"))).toEqual([
      "agent(1): ac",
      "thought(1): b",
    ]);
  });

  test("whose id is null has none", () => {
    const none = { ...agent("b"), messageId: null } as GeneralUpdateV1;
    expect(shown(agent("a", "1"), none)).toEqual(["agent(1): ab"]);
  });

  test("starts a message after the end of a prompt", () => {
    const state = fold(agent("a"));
    state.endTurn();
    state.apply(agent("b"));
    expect(messages(state)).toEqual(["agent: a", "agent: b"]);
  });
});

describe("content", () => {
  test("of plain text is joined into one block", () => {
    expect(fold(agent("a"), agent("b")).messages[0]!.content).toEqual([text("ab")]);
  });

  test("with anything besides the text is a block of its own", () => {
    const odd = [{ annotations: { priority: 1 } }, { _meta: { a: 1 } }, { other: null }];
    for (const extra of odd) {
      const block = { ...text("b"), ...extra };
      const marked = { sessionUpdate: "agent_message_chunk", content: block } as const;
      const { content } = fold(agent("a"), marked, agent("c")).messages[0]!;
      expect(content).toEqual([text("a"), block, text("c")]);
    }
  });

  test("with annotations or metadata of null is plain", () => {
    const plain = { ...text("b"), annotations: null, _meta: null };
    const { content } = fold(agent("a"), { sessionUpdate: "agent_message_chunk", content: plain })
      .messages[0]!;
    expect(content).toEqual([text("ab")]);
  });

  test("other than text is kept unchanged, and separates the text around it", () => {
    const picture = { sessionUpdate: "agent_message_chunk", content: image } as const;
    const { content } = fold(agent("a"), picture, agent("b")).messages[0]!;
    expect(content).toEqual([text("a"), image, text("b")]);
    expect(content[1]).toBe(image);
  });

  test("of an update is never changed by later chunks", () => {
    const updates = [agent("a"), agent("b"), toolCall("t", { content: [text("x")] })];
    updates.push(toolUpdate("t", { content: [text("y")], _meta: { a: 1 } }), agent("c"), clear());
    const before = structuredClone(updates);
    fold(...updates.map(deepFreeze));
    expect(updates).toEqual(before);
  });
});

describe("agent_message_clear", () => {
  test("without an id empties the open agent message, and later chunks start from an empty text", () => {
    expect(shown(agent("draft"), clear(), agent("final"))).toEqual(["agent: final"]);
  });

  test("with an id empties that message, also one that is closed", () => {
    expect(shown(agent("a", "1"), user("b"), agent("c", "2"), clear("1"), agent("d", "1"))).toEqual(
      ["agent(1): d", "user: b", "agent(2): c"],
    );
  });

  test("with an unknown id does nothing", () => {
    const state = fold(agent("a", "1"), user("b", "2"), clear("2"), clear("3"));
    expect(messages(state)).toEqual(["agent(1): a", "user(2): b"]);
    expect(state.revision).toBe(2);
  });

  test("without an id does nothing where no agent message is open", () => {
    expect(shown(clear())).toEqual([]);
    expect(shown(thought("a"), clear())).toEqual(["thought: a"]);
  });

  test("without an id does nothing after the end of a prompt", () => {
    const state = fold(agent("a"));
    state.endTurn();
    expect(messages(state.apply(clear()))).toEqual(["agent: a"]);
  });

  test("without an id does nothing after a message of the user", () => {
    expect(shown(agent("a"), user("b"), clear())).toEqual(["agent: a", "user: b"]);
    const state = fold(agent("a"));
    state.addUserMessage([text("b")]);
    expect(messages(state.apply(clear()))).toEqual(["agent: a", "user: b"]);
  });

  test("without an id means the message with the newest id, and leaves the ones before", () => {
    expect(shown(agent("a", "1"), agent("b", "2"), agent("c", "1"), clear())).toEqual([
      "agent(1): ac",
      "agent(2):",
    ]);
  });

  test("without an id applies across thoughts and tool calls, which do not close a message", () => {
    expect(shown(agent("a"), thought("b"), toolCall("t"), clear())).toEqual([
      "agent:",
      "thought: b",
    ]);
  });

  test("does not reopen a closed message, even when a late chunk belongs to it", () => {
    expect(shown(agent("a", "1"), user("b"), agent("c", "1"), clear())).toEqual([
      "agent(1): ac",
      "user: b",
    ]);
  });

  test("only affects its own session", () => {
    const all = new SessionsV1();
    all.apply({ sessionId: "a", update: agent("a") });
    all.apply({ sessionId: "b", update: agent("b") });
    all.apply({ sessionId: "a", update: clear() });
    expect(messages(all.get("a")!)).toEqual(["agent:"]);
    expect(messages(all.get("b")!)).toEqual(["agent: b"]);
  });
});

describe("a message of the user", () => {
  test("can be added as it was sent, and is complete", () => {
    const state = fold(agent("a"));
    state.addUserMessage([text("b"), text("c")]);
    state.apply(agent("d")).apply(user("e"));
    expect(state.messages.map(({ content }) => content)).toEqual([
      [text("a")],
      [text("b"), text("c")],
      [text("d")],
      [text("e")],
    ]);
  });

  test("separates later chunks without an id from a closed response", () => {
    expect(shown(user("a", "1"), agent("b"), user("c", "1"), agent("d"))).toEqual([
      "user(1): ac",
      "agent: b",
      "agent: d",
    ]);
  });
});

describe("the echo of a prompt", () => {
  const prompted = (...prompts: string[]): SessionStateV1 => {
    const state = new SessionStateV1();
    for (const prompt of prompts) state.addUserMessage([text(prompt)]);
    return state;
  };
  const after = (state: SessionStateV1, ...updates: readonly GeneralUpdateV1[]): string[] => {
    for (const update of updates) state.apply(update);
    return messages(state);
  };

  test.each([
    ["in one chunk", [user("hello")], ["user: hello"]],
    ["in several chunks", [user("he"), user(""), user("llo")], ["user: hello"]],
    ["with an id", [user("he", "1"), user("llo", "1")], ["user(1): hello"]],
    ["in part", [user("hel", "1"), agent("hi")], ["user(1): hello", "agent: hi"]],
    ["after updates about the session", [usage(), user("hello")], ["user: hello"]],
  ])("%s adds no message", (_, updates, expected) => {
    expect(after(prompted("hello"), ...updates)).toEqual(expected);
  });

  test.each([
    ["of another text", [user("other", "1")], ["user: hello", "user(1): other"]],
    [
      "that only begins alike, with what was taken for the echo",
      [user("hel", "1"), user("p", "1")],
      ["user: hello", "user(1): help"],
    ],
    [
      "that only begins alike, before the real echo",
      [user("hel"), user("p"), user("hello", "1")],
      ["user(1): hello", "user: help"],
    ],
    ["that is longer", [user("hello you")], ["user: hello", "user: hello you"]],
    ["that follows it", [user("hello"), user("more")], ["user: hello", "user: more"]],
    [
      "after the agent has spoken",
      [agent("hi"), user("hello")],
      ["user: hello", "agent: hi", "user: hello"],
    ],
    ["after a tool call", [toolCall("t"), user("hello")], ["user: hello", "user: hello"]],
  ])("is not a message %s", (_, updates, expected) => {
    expect(after(prompted("hello"), ...updates)).toEqual(expected);
  });

  test("is not expected after the end of the prompt", () => {
    const state = prompted("hello");
    state.endTurn();
    expect(after(state, user("hello"))).toEqual(["user: hello", "user: hello"]);
  });

  test("compares text however it is divided, and other blocks by equality", () => {
    const state = new SessionStateV1();
    state.addUserMessage([text("a"), text("b"), { ...image, uri: undefined } as never, text("c")]);
    const block = (content: object): GeneralUpdateV1 =>
      ({ sessionUpdate: "user_message_chunk", content }) as GeneralUpdateV1;
    state
      .apply(user("ab"))
      .apply(block({ ...image, annotations: null }))
      .apply(user("c"));
    expect(state.messages).toHaveLength(1);
    state.endTurn();
    state.addUserMessage([image]);
    state.apply(block({ ...image, data: "AA==" }));
    expect(state.messages).toHaveLength(3);
  });

  test("belongs to the prompt that it fits, when several wait for their answers", () => {
    const updates = [user("fix b", "2"), user("fix ", "1"), user("a", "1"), user("fix b", "3")];
    expect(after(prompted("fix a", "fix b"), ...updates)).toEqual([
      "user(1): fix a",
      "user(2): fix b",
      "user(3): fix b",
    ]);
    // The beginnings are the same, so the first chunk was taken for the echo of the other prompt.
    expect(after(prompted("fix a", "fix b"), user("fix ", "2"), user("b", "2"))).toEqual([
      "user: fix a",
      "user(2): fix b",
    ]);
  });

  test("of a later prompt may follow the answer to an earlier one", () => {
    const state = prompted("a", "b");
    expect(after(state, agent("1"), user("b", "2"))).toEqual(["user: a", "user(2): b", "agent: 1"]);
    const [first] = state.messages;
    state.endTurn(first);
    expect(after(state, agent("2"), user("b"))).toEqual([
      "user: a",
      "user(2): b",
      "agent: 1",
      "agent: 2",
      "user: b",
    ]);
  });

  test("changes the revision only with the id and the metadata of the message", () => {
    const state = prompted("hello");
    const marked = { ...user("lo"), _meta: { a: 1 } };
    const revisions = [user("hel"), marked, user("x")].map((one) => state.apply(one).revision);
    expect(revisions).toEqual([1, 2, 3]);
    expect(state.messages[0]).toMatchObject({ revision: 2, _meta: { a: 1 } });
  });
});

describe("a prompt that was refused", () => {
  const open = (...updates: readonly GeneralUpdateV1[]) => {
    const state = fold(agent("a"));
    const message = state.addUserMessage([text("b")]);
    for (const update of updates) state.apply(update);
    return { state, message };
  };

  test("leaves no message, and the agent's message goes on", () => {
    const { state, message } = open();
    const other = state.addUserMessage([text("c")]);
    state.removeUserMessage(message);
    expect(messages(state)).toEqual(["agent: a", "user: c"]);
    state.removeUserMessage(other);
    state.removeUserMessage(other);
    expect(messages(state.apply(agent("d")))).toEqual(["agent: ad"]);
    expect(state.timeline).toHaveLength(1);
  });

  test.each([
    ["the message", user("b")],
    ["an answer", agent("c")],
    ["a tool call", toolCall("t")],
  ])("leaves the message when the agent has reported %s", (_, update) => {
    const { state, message } = open(update);
    const before = messages(state);
    state.removeUserMessage(message);
    expect(messages(state)).toEqual(before);
  });
});

describe("a tool call", () => {
  test("is changed by the fields that are there; null and absence keep a field", () => {
    const state = fold(
      toolCall("t", { kind: "read", content: [text("a")], rawInput: 1 }),
      toolUpdate("t", { status: "completed", title: null, content: null, locations: [] }),
    );
    expect(state.toolCalls.get("t")).toEqual({
      toolCallId: "t",
      title: "Read",
      kind: "read",
      status: "completed",
      content: [text("a")],
      locations: [],
      rawInput: 1,
      revision: 2,
    });
  });

  test("has its lists replaced as a whole", () => {
    const locations = [{ path: "/b" }];
    const { content, ...rest } = fold(
      toolCall("t", { content: [text("a")], locations: [{ path: "/a" }] }),
      toolUpdate("t", { content: [text("b")], locations }),
    ).toolCalls.get("t")!;
    expect(content).toEqual([text("b")]);
    expect(rest.locations).toEqual(locations);
  });

  test("that is announced again is reset in its old place", () => {
    const state = fold(toolCall("t", { kind: "read", _meta: {} }), agent("a"), toolCall("t"));
    expect(state.toolCalls.get("t")).toEqual({
      toolCallId: "t",
      title: "Read",
      content: [],
      locations: [],
      revision: 3,
    });
    expect(state.timeline.map(({ type }) => type)).toEqual(["tool_call", "message"]);
  });

  test("that was never announced is created from its first update", () => {
    expect(fold(toolUpdate("t", { status: "failed" })).toolCalls.get("t")).toEqual({
      toolCallId: "t",
      status: "failed",
      content: [],
      locations: [],
      revision: 1,
    });
  });

  test("keeps unknown fields", () => {
    const odd = JSON.parse('{"sessionUpdate":"tool_call","toolCallId":"t","__proto__":{"x":1}}');
    const kept = fold(odd as GeneralUpdateV1).toolCalls.get("t")!;
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    expect(Object.keys(kept)).toContain("__proto__");
  });
});

describe("plans", () => {
  const plan = (content: string) =>
    ({ sessionUpdate: "plan", entries: [{ content }], _meta: { content } }) as const;
  const byId = (planId: string, markdown: string) =>
    ({ sessionUpdate: "plan_update", plan: { type: "markdown", planId, markdown } }) as const;

  test("without an id replace the previous one completely", () => {
    expect(fold(plan("a"), plan("b")).plan).toEqual(plan("b"));
  });

  test("with ids coexist, and can be removed", () => {
    const state = fold(byId("p", "a"), byId("q", "b"), byId("p", "c"), plan("d"));
    expect([...state.plans]).toEqual([
      ["p", byId("p", "c")],
      ["q", byId("q", "b")],
    ]);
    state.apply({ sessionUpdate: "plan_removed", planId: "p" });
    state.apply({ sessionUpdate: "plan_removed", planId: "unknown" });
    expect([...state.plans.keys()]).toEqual(["q"]);
    expect(state.revision).toBe(5);
  });
});

describe("a value that is reported as a whole", () => {
  test("is the last update of its kind", () => {
    const updates = [
      { sessionUpdate: "available_commands_update", availableCommands: [] },
      { sessionUpdate: "current_mode_update", currentModeId: "ask" },
      { sessionUpdate: "config_option_update", configOptions: [] },
      { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount: 1, currency: "EUR" } },
      { sessionUpdate: "usage_update", used: 2, size: 2 },
    ] as const;
    const { commands, mode, config, usage } = fold(...updates);
    expect([commands, mode, config, usage]).toEqual([...updates.slice(0, 3), updates[4]]);
    expect(usage).toBe(updates[4]);
  });
});

describe("the session's information", () => {
  const info = (fields: object) => ({ sessionUpdate: "session_info_update", ...fields }) as const;

  test("is patched: absence keeps, null removes, the last metadata wins", () => {
    const state = fold(
      info({ title: "a", updatedAt: "b", _meta: { x: 1 } }),
      info({ title: null }),
    );
    expect(state.info).toEqual({ updatedAt: "b", _meta: { x: 1 }, revision: 2 });
    state.apply(info({ _meta: null })).apply(info({ title: "c", _meta: { y: 2 } }));
    expect(state.info).toEqual({ title: "c", updatedAt: "b", _meta: { y: 2 }, revision: 4 });
  });
});

describe("a compaction", () => {
  const update = (fields: object) =>
    ({ sessionUpdate: "compaction_update", compactionId: "c", ...fields }) as GeneralUpdateV1;
  const summary = (value: string) =>
    ({
      sessionUpdate: "compaction_summary_chunk",
      compactionId: "c",
      content: text(value),
    }) as const;

  test("starts in progress with its first chunk, and keeps its place", () => {
    const state = fold(summary("a"), agent("x"), summary("b"), update({ status: "completed" }));
    expect(state.compactions.get("c")).toEqual({
      compactionId: "c",
      status: "completed",
      summary: [text("ab")],
      revision: 4,
    });
    expect(state.timeline.map(({ type }) => type)).toEqual(["compaction", "message"]);
  });

  test("is patched: absence keeps, null clears, a value replaces, metadata as a whole", () => {
    const state = fold(
      update({ status: "failed", error: "e", summary: [text("a")], _meta: { x: 1 } }),
      update({ status: "failed", error: null, _meta: { y: 1 } }),
      summary("b"),
    );
    expect(state.compactions.get("c")).toMatchObject({ summary: [text("ab")], _meta: { y: 1 } });
    expect(state.compactions.get("c")).not.toHaveProperty("error");
    state.apply(update({ status: "_odd", summary: null, _meta: null }));
    expect(state.compactions.get("c")).toEqual({
      compactionId: "c",
      status: "_odd",
      summary: [],
      revision: 4,
    });
  });
});

describe("subagents and their messages", () => {
  test("are patched: absence keeps, null clears, a value replaces", () => {
    const { subagents, sessionMessages, timeline } = fold(
      { sessionUpdate: "subagent_update", sessionId: "child", title: "a", cwd: "/" },
      {
        sessionUpdate: "subagent_update",
        sessionId: "child",
        title: null,
        state: { state: "idle" },
      },
      { sessionUpdate: "session_message_chunk", messageId: "m", content: text("a") },
      { sessionUpdate: "session_message", messageId: "m", senderSessionId: "child" },
      { sessionUpdate: "session_message_chunk", messageId: "m", content: text("b") },
    );
    expect(subagents.get("child")).toEqual({
      sessionId: "child",
      cwd: "/",
      state: { state: "idle" },
      revision: 2,
    });
    expect(sessionMessages.get("m")).toEqual({
      messageId: "m",
      senderSessionId: "child",
      content: [text("ab")],
      revision: 5,
    });
    expect(timeline).toEqual([
      { type: "session_message", sessionMessage: sessionMessages.get("m") },
    ]);
  });
});

describe("metadata of chunks", () => {
  test("is kept on the message: the last value wins, null and absence keep it", () => {
    const meta = (_meta: object | null) => ({ ...agent("a"), _meta }) as GeneralUpdateV1;
    expect(fold(meta({ a: 1 }), meta({ b: 2 }), meta(null), agent("x")).messages[0]!._meta).toEqual(
      {
        b: 2,
      },
    );
  });
});

describe("updates that are not known", () => {
  test("are kept as they are", () => {
    const odd = { sessionUpdate: "_mine", value: 1 } as const;
    const state = fold(odd);
    expect(state.others).toEqual({ items: [odd], count: 1 });
    expect(state.others.items[0]).toBe(odd);
  });

  test("are bounded, as notices are: the last 1,000 are kept, all are counted", () => {
    const state = new SessionStateV1();
    for (let value = 0; value < 1500; value++) {
      state.apply({ sessionUpdate: "_mine", value } as never);
      state.apply({ sessionUpdate: "notice", severity: "info", title: String(value) });
    }
    expect(state.others.count).toBe(1500);
    expect(state.others.items).toHaveLength(1000);
    expect(state.others.items.at(-1)).toMatchObject({ value: 1499 });
    expect(state.notices.items[0]).toMatchObject({ title: "500" });
  });

  test.each([
    { sessionUpdate: "plan_update", plan: 5 },
    { sessionUpdate: "plan_update", plan: {} },
    { sessionUpdate: "plan_removed" },
    { sessionUpdate: "session_message", messageId: "m", content: "text" },
    { sessionUpdate: "session_message_chunk", messageId: {}, content: null },
    { sessionUpdate: "subagent_update", sessionId: null },
    { sessionUpdate: "agent_message_clear", messageId: 5 },
    { sessionUpdate: "constructor" },
    { sessionUpdate: "__proto__" },
    { sessionUpdate: 5 },
    { sessionUpdate: "agent_message", messageId: "m", content: [] },
  ])("may have any shape, since a profile without the feature does not read them: %j", (odd) => {
    const state = fold(odd as unknown as AnyUpdate as GeneralUpdateV1);
    expect(state.others.items).toEqual([odd]);
    expect(state.timeline).toEqual([]);
  });
});

describe("sessions", () => {
  test("begin with their first update, under any id, and can be forgotten", () => {
    const all = new SessionsV1();
    for (const sessionId of ["__proto__", "constructor"]) {
      expect(all.get(sessionId)).toBeUndefined();
      const state = all.apply({ sessionId, update: agent("a", sessionId) });
      expect(all.get(sessionId)).toBe(state);
      expect(messages(state)).toEqual([`agent(${sessionId}): a`]);
    }
    expect([...all.sessions.keys()]).toEqual(["__proto__", "constructor"]);
    expect(all.forget("__proto__")).toBe(true);
    expect(all.forget("__proto__")).toBe(false);
    expect(all.get("__proto__")).toBeUndefined();
  });

  test("end their turns and take user messages one by one", () => {
    const all = new SessionsV1();
    all.addUserMessage("a", [text("hi")]);
    all.apply({ sessionId: "a", update: agent("x") });
    all.apply({ sessionId: "b", update: agent("y") });
    all.endTurn("a");
    all.endTurn("unknown");
    all.apply({ sessionId: "a", update: clear() });
    all.apply({ sessionId: "b", update: clear() });
    expect(messages(all.get("a")!)).toEqual(["user: hi", "agent: x"]);
    expect(messages(all.get("b")!)).toEqual(["agent:"]);
    expect(all.get("unknown")).toBeUndefined();
  });
});

describe("revisions", () => {
  test("grow with every change; the last changed entry has the session's revision", () => {
    const state = fold(agent("a"), toolCall("t"), user("b"));
    expect(state.revision).toBe(3);
    expect(state.messages.map(({ revision }) => revision)).toEqual([1, 3]);
    state.apply(toolUpdate("t", { status: "completed" }));
    expect(state.toolCalls.get("t")!.revision).toBe(state.revision);
    expect(state.messages.map(({ revision }) => revision)).toEqual([1, 3]);
  });
});

function fold(...updates: readonly (GeneralUpdateV1 | { sessionUpdate: `_${string}` })[]) {
  const state = new SessionStateV1();
  for (const update of updates) state.apply(update);
  return state;
}

function shown(...updates: readonly GeneralUpdateV1[]): string[] {
  return messages(fold(...updates));
}

/** Each message as one line: its kind, its id, its text. */
function messages(state: SessionStateV1): string[] {
  return state.messages.map(({ kind, messageId, content }) => {
    const words = content.map((block) => (block as { text?: string }).text).join("|");
    const id = messageId === undefined ? "" : `(${messageId})`;
    return `${kind.replace(/agent_(?=thought)|_message/g, "")}${id}: ${words}`.trimEnd();
  });
}
