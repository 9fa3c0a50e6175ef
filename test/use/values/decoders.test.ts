import { isDeepStrictEqual } from "node:util";
import type { Decoded, DecodeOptions } from "acp-bindings";
import { describe, expect, test } from "vitest";
import { corpus } from "../samples/corpus-lines.js";
import { loadSdk } from "../samples/sdk.js";
import { ours, schemaOf } from "./verdicts.js";

function decode(definition: string, value: unknown, options?: DecodeOptions): Decoded<unknown> {
  return schemaOf(definition).decode(value, options);
}

describe("the decoders", async () => {
  const official = await loadSdk("v1");

  test.each(["valid", "invalid", "lenient"])(
    "repair and refuse every %s value as the official SDK does",
    (name) => {
      const samples = corpus(name);
      const other = samples.filter(({ def, value }) => {
        const mine = decode(def, value, { unknown: "reject" });
        const theirs = official.decode(def, value);
        if (mine.ok !== theirs.ok) return true;
        // The SDK strips unknown keys, also the envelope's own; what it keeps must be the same.
        return (
          mine.ok &&
          theirs.ok &&
          !/^(Agent|Client)(Request|Response|Notification)$/.test(def) &&
          !isDeepStrictEqual(mine.value, theirs.value)
        );
      });
      expect(samples.length).toBeGreaterThan(200);
      expect(other).toEqual([]);
    },
  );

  test("treat the eight values on which schema and SDK differ as the schema does", () => {
    for (const { def, value } of corpus("disagree")) {
      expect(decode(def, value).ok).toBe(ours(def, value));
    }
  });
});

describe("a decode", () => {
  const ENTRY = { content: "Do", priority: "high", status: "pending" };
  const chunk = (update: object): object => ({ sessionId: "s", update });
  const text = { type: "text", text: "Hi" };

  test("returns the input itself and one shared empty list when there are no notes", () => {
    const value = chunk({ sessionUpdate: "agent_message_chunk", content: text, extra: 1 });
    const [a, b] = [decode("SessionNotification", value), decode("SessionNotification", value)];
    expect(a.ok && a.value).toBe(value);
    expect(a.ok && b.ok && a.notes === b.notes && Object.isFrozen(a.notes)).toBe(true);
  });

  test.each([
    ["undefined items", [undefined, ENTRY, undefined]],
    ["holes", [, ENTRY, , ,]],
    ["holes only", new Array(2)],
  ])("skips %s of a list", (_, entries: unknown[]) => {
    const result = decode("Plan", { entries });
    const kept = (result.ok && (result.value as { entries: unknown[] }).entries) as unknown[];
    expect(kept.length).toBe(entries.includes(ENTRY) ? 1 : 0);
    expect(kept.every((entry) => entry === ENTRY)).toBe(true);
    expect(result.ok && result.notes.length).toBe(entries.length - kept.length);
    expect(schemaOf("Plan").is(result.ok && result.value)).toBe(true);
  });

  test.each([
    ["undefined items", [undefined]],
    ["holes", new Array(1)],
  ])("refuses %s of a list that skips no items", (_, prompt) => {
    expect(decode("PromptRequest", { sessionId: "s", prompt })).toMatchObject({
      issues: [{ pointer: "/prompt/0", rule: "required" }],
    });
  });

  test("completes defaults of a value with its own `__proto__`, and sets no prototype", () => {
    const sent = JSON.parse('{"protocolVersion":1,"__proto__":{"x":1},"clientCapabilities":{}}');
    const result = decode("InitializeRequest", sent);
    expect(result).toMatchObject({ ok: true, value: { clientCapabilities: { terminal: false } } });
    const { value } = result as { readonly value: object };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toContain("__proto__");
  });
});
