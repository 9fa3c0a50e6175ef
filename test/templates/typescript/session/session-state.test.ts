import { describe, expect, test } from "vitest";
import type { SessionStateV1 } from "../../../../templates/typescript/runtime/session/index.js";
import { createSessionsV1, createV1, type Update } from "./states.js";

const text = (value: string) => ({ type: "text", text: value });
const agent = (value: string, messageId?: string) =>
  ({ sessionUpdate: "agent_message_chunk", content: text(value), messageId }) as Update;
const CLEAR = { sessionUpdate: "agent_message_clear" } as const;

test("a tool call keeps an unknown field named __proto__", () => {
  const odd = JSON.parse('{"sessionUpdate":"tool_call","toolCallId":"t","__proto__":{"x":1}}');
  const kept = createV1()
    .apply(odd as Update)
    .toolCalls.get("t")!;
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

/** Each message as one line: its kind, its id, its text. */
function messages(state: SessionStateV1<Update>): string[] {
  return state.messages.map(({ kind, messageId, content }) => {
    const words = content.map((block) => (block as { text?: string }).text).join("|");
    const id = messageId === undefined ? "" : `(${messageId})`;
    return `${kind.replace("_message", "")}${id}: ${words}`.trimEnd();
  });
}
