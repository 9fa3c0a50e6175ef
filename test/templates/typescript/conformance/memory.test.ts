import { describe, expect, test } from "vitest";
import {
  agent,
  client,
  s,
  start,
  update,
} from "../../../../templates/site/rules/transcript-builder.js";
import { createConformanceChecker, type TranscriptEntry } from "acp-bindings/conformance";
import {
  isSmall,
  keepSmall,
  RecentMap,
  RecentSet,
} from "../../../../templates/typescript/runtime/conformance/memory.js";

describe("the memory of the checker", () => {
  test("never has more entries than its limit, nor less than half of it once full", () => {
    const map = new RecentMap<number, string>(10);
    for (let key = 0; key < 1000; key++) {
      map.set(key, `${key}`);
      expect(map.size).toBeLessThanOrEqual(10);
      for (let recent = Math.max(0, key - 4); recent <= key; recent++)
        expect(map.get(recent)).toBe(`${recent}`);
    }
    expect(map.has(1)).toBe(false);
    expect(map.mayHave(1)).toBe(true);
    expect([...map.values()]).toHaveLength(map.size);
    expect([...map].at(-1)).toEqual([999, "999"]);
  });

  test("counts as new when it is set again", () => {
    const map = new RecentMap<string, number>(4);
    for (let key = 0; key < 100; key++) {
      map.set("used", key);
      map.set(`${key}`, key);
    }
    expect(map.get("used")).toBe(99);
  });

  test("is complete until an entry was forgotten or deleted", () => {
    const set = new RecentSet<string>(4);
    set.add("a");
    expect([set.mayHave("a"), set.mayHave("b"), set.size]).toEqual([true, false, 1]);
    set.delete("a");
    expect([set.has("a"), set.size]).toEqual([false, 0]);
  });

  test("keeps no large keys, and reports them as forgotten", () => {
    for (const key of ["x".repeat(1000), {}, []]) {
      const set = new RecentSet<unknown>(4);
      set.add(key);
      expect([set.size, set.mayHave("other")]).toEqual([0, true]);
    }
  });

  test("keeps params as a copy without long texts, deep parts and values above the limit", () => {
    const params = {
      sessionId: "s",
      list: [1, "x".repeat(1000), { a: null }],
      text: "y".repeat(300),
    };
    expect(keepSmall(params)).toEqual({ sessionId: "s", list: [1, { a: null }] });
    expect(keepSmall(Array.from({ length: 5000 }, () => 1))).toHaveLength(1000);
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown;
    expect(JSON.stringify(keepSmall(deep)).length).toBeLessThan(100);
  });

  test("keeps options completely or not at all", () => {
    expect(isSmall([{ id: "model", options: [{ value: "fast" }] }])).toBe(true);
    expect(isSmall(Array.from({ length: 20_000 }, () => 1))).toBe(false);
    expect(isSmall(["x".repeat(1_000_000)])).toBe(false);
    expect(isSmall(JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`))).toBe(false);
  });
});

/** The rules that are broken in a conversation, with how often. */
function broken(...parts: readonly Iterable<TranscriptEntry>[]): Record<string, number> {
  const checker = createConformanceChecker();
  const counts: Record<string, number> = {};
  const count = (rules: readonly { readonly rule: string }[]): void => {
    for (const { rule } of rules) counts[rule] = (counts[rule] ?? 0) + 1;
  };
  for (const part of parts) for (const entry of part) count(checker.check(entry));
  count(checker.end());
  return counts;
}

const times = <T>(number: number, make: (index: number) => T): T[] =>
  Array.from({ length: number }, (_, index) => make(index));

describe("an endless conversation", () => {
  test("has no findings about responses to forgotten requests", () => {
    const asked = times(3000, (id) => client.ask(`q${id}`, "session/list"));
    const answered = times(3000, (id) => agent.result(`q${id}`, { sessions: [] }));
    expect(broken(start(1), asked, answered)).toEqual({});
    expect(broken(start(1), asked.slice(0, 100), answered.slice(0, 101))).toEqual({
      "known-response-id": 1,
    });
  });

  test("has no findings about forgotten sessions, and keeps those in use", () => {
    const opened = times(3000, (index) => [
      client.ask(`n${index}`, "session/new", { cwd: "/", mcpServers: [] }),
      agent.result(`n${index}`, { sessionId: `s${index}` }),
      client.notify("session/cancel", s()),
    ]).flat();
    const late = client.notify("session/cancel", { sessionId: "s0" });
    expect(broken(start(1), opened, [late])).toEqual({});
    expect(
      broken(start(1), opened.slice(0, 30), [client.notify("session/cancel", { sessionId: "?" })]),
    ).toEqual({
      "known-session": 1,
    });
    const closed = [client.ask("c", "session/close", s()), agent.result("c")];
    expect(broken(start(1), opened, closed, [client.notify("session/cancel", s())])).toEqual({
      "open-session": 1,
    });
  });

  test("has no findings about forgotten tool calls and elicitations", () => {
    const prompt = client.ask("p", "session/prompt", s({ prompt: [] }));
    const begun = times(30_000, (id) => update("tool_call", { toolCallId: `t${id}` }));
    const first = update("tool_call_update", { toolCallId: "t0" });
    const never = update("tool_call_update", { toolCallId: "never" });
    const end = agent.result("p", { stopReason: "end_turn" });
    expect(broken(start(1), [prompt], begun, [first, never, end])).toEqual({});
    expect(broken(start(1), [prompt], begun.slice(0, 100), [first, never, end])).toEqual({
      "tool-call-first": 1,
    });
    const has = { clientHas: { elicitation: { url: {} } } };
    const asked = times(3000, (id) => {
      const params = {
        mode: "url",
        elicitationId: `e${id}`,
        message: "m",
        url: "u",
        sessionId: "s",
      };
      return [agent.ask(`e${id}`, "elicitation/create", params), client.result(`e${id}`, {})];
    }).flat();
    const complete = agent.notify("elicitation/complete", { elicitationId: "e0" });
    expect(broken(start(1, has), asked, [complete])).toEqual({});
  });
});
