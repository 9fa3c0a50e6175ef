import { describe, expect, test } from "vitest";
import type { SessionStateV1 } from "../../../../templates/runtime/session/index.js";
import { createSessionsV1, createV1, type Update } from "./states.js";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: "", mimeType: "image/png" };
const chunk = (kind: "user_message" | "agent_message", value: string, id?: string) =>
  ({
    sessionUpdate: `${kind}_chunk`,
    content: text(value),
    ...(id !== undefined && { messageId: id }),
  }) as Update;
const agent = (value: string, id?: string) => chunk("agent_message", value, id);
const user = (value: string, id?: string) => chunk("user_message", value, id);
const CLEAR = { sessionUpdate: "agent_message_clear" } as const;
const toolCall = (toolCallId: string, fields: object = {}) =>
  ({ sessionUpdate: "tool_call", toolCallId, title: "Read", ...fields }) as Update;
const toolUpdate = (toolCallId: string, fields: object) =>
  ({ sessionUpdate: "tool_call_update", toolCallId, ...fields }) as Update;

/** What updates make of a state is in replay.test.ts, for random ones. */
describe("the echo of a prompt", () => {
  const prompted = (...prompts: string[]): SessionStateV1<Update> => {
    const state = createV1();
    for (const prompt of prompts) state.addUserMessage([text(prompt)]);
    return state;
  };
  const after = (state: SessionStateV1<Update>, ...updates: readonly Update[]): string[] => {
    for (const update of updates) state.apply(update);
    return messages(state);
  };

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
    const state = createV1();
    state.addUserMessage([text("a"), text("b"), { ...image, uri: undefined } as never, text("c")]);
    const block = (content: object): Update =>
      ({ sessionUpdate: "user_message_chunk", content }) as Update;
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
  const open = (...updates: readonly Update[]) => {
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

test("a tool call keeps an unknown field named __proto__", () => {
  const odd = JSON.parse('{"sessionUpdate":"tool_call","toolCallId":"t","__proto__":{"x":1}}');
  const kept = fold(odd as Update).toolCalls.get("t")!;
  expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  expect(Object.keys(kept)).toContain("__proto__");
});

test("of unknown updates and notices the last 1,000 are kept, and all are counted", () => {
  const state = createV1();
  for (let value = 0; value < 1500; value++) {
    state.apply({ sessionUpdate: "_mine", value } as never);
    state.apply({ sessionUpdate: "notice", severity: "info", title: String(value) });
  }
  expect(state.others.count).toBe(1500);
  expect(state.others.items).toHaveLength(1000);
  expect(state.others.items.at(-1)).toMatchObject({ value: 1499 });
  expect(state.notices.items[0]).toMatchObject({ title: "500" });
});

describe("a map of sessions", () => {
  test("begins a session with its first update, under any id, and forgets it", () => {
    const all = createSessionsV1();
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

  test("ends turns and adds user messages in one session only", () => {
    const all = createSessionsV1();
    all.addUserMessage("a", [text("hi")]);
    all.apply({ sessionId: "a", update: agent("x") });
    all.apply({ sessionId: "b", update: agent("y") });
    all.endTurn("a");
    all.endTurn("unknown");
    all.apply({ sessionId: "a", update: CLEAR });
    all.apply({ sessionId: "b", update: CLEAR });
    expect(messages(all.get("a")!)).toEqual(["user: hi", "agent: x"]);
    expect(messages(all.get("b")!)).toEqual(["agent:"]);
    expect(all.get("unknown")).toBeUndefined();
  });
});

test("every change raises the revision of the session and of the changed entry", () => {
  const state = fold(agent("a"), toolCall("t"), user("b"));
  expect(state.revision).toBe(3);
  expect(state.messages.map(({ revision }) => revision)).toEqual([1, 3]);
  state.apply(toolUpdate("t", { status: "completed" }));
  expect(state.toolCalls.get("t")!.revision).toBe(state.revision);
  expect(state.messages.map(({ revision }) => revision)).toEqual([1, 3]);
});

function fold(...updates: readonly (Update | { sessionUpdate: `_${string}` })[]) {
  const state = createV1();
  for (const update of updates) state.apply(update);
  return state;
}

/** Each message as one line: its kind, its id, its text. */
function messages(state: SessionStateV1<Update>): string[] {
  return state.messages.map(({ kind, messageId, content }) => {
    const words = content.map((block) => (block as { text?: string }).text).join("|");
    const id = messageId === undefined ? "" : `(${messageId})`;
    return `${kind.replace(/agent_(?=thought)|_message/g, "")}${id}: ${words}`.trimEnd();
  });
}
