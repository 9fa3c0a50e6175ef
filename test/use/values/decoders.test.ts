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

  test("return a valid value itself, up to defaults, without notes", () => {
    for (const { def, value } of corpus("valid")) {
      const result = decode(def, value);
      if (!result.ok) throw new Error(def);
      const noted = result.notes.filter(
        ({ rule }) => rule !== "unknown" && rule !== "unsafe-integer",
      );
      expect(noted).toEqual([]);
      expect(result.value).toMatchObject(value as object);
    }
  });

  test("never change their input, and decode their result to the same value", () => {
    for (const { def, value } of [...corpus("lenient"), ...corpus("valid")]) {
      const before = JSON.stringify(value);
      const first = decode(def, value);
      expect(JSON.stringify(value)).toBe(before);
      if (!first.ok) continue;
      const second = decode(def, first.value);
      expect(second.ok && second.value).toEqual(first.value);
    }
  });

  test("report every repair of the lenient values, with a place and a reason", () => {
    for (const { def, value } of corpus("lenient")) {
      const result = decode(def, value);
      if (!result.ok) throw new Error(`${def}: ${JSON.stringify(result.issues)}`);
      expect(result.notes.length, `${def} ${JSON.stringify(value)}`).toBeGreaterThan(0);
      for (const { pointer, reason } of result.notes) {
        expect(pointer === "" || pointer.startsWith("/")).toBe(true);
        expect(reason).not.toBe("");
      }
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

  test("keeps an unknown variant with a note, or refuses it on request", () => {
    const value = chunk({ sessionUpdate: "telepathy", strength: 5 });
    const kept = decode("SessionNotification", value);
    expect(kept).toEqual({
      ok: true,
      value,
      notes: [
        {
          kind: "kept",
          pointer: "/update/sessionUpdate",
          rule: "unknown",
          reason: '"telepathy" is not known',
        },
      ],
    });
    const refused = decode("SessionNotification", value, { unknown: "reject" });
    expect(refused.ok ? [] : refused.issues.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ["/update/sessionUpdate", "enum"],
    ]);
  });

  test("reports values that no version lists, but not custom ones", () => {
    const option = (category: string): unknown => ({
      configOptions: [{ id: "o", name: "O", type: "boolean", currentValue: true, category }],
    });
    const custom = decode("ConfigOptionUpdate", option("_vendor"));
    expect(custom.ok && custom.notes).toEqual([]);
    const unknown = decode("ConfigOptionUpdate", option("later"));
    expect(unknown.ok && unknown.value).toEqual(option("later"));
    expect(unknown.ok && unknown.notes.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ["/configOptions/0/category", "unknown"],
    ]);
  });

  test("reports exactly one error inside an update, at the field", () => {
    const result = decode(
      "SessionNotification",
      chunk({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: 5 } }),
    );
    expect(result.ok ? [] : result.issues).toEqual([
      { pointer: "/update/content/text", rule: "type", expected: "string", found: "5" },
    ]);
  });

  test("drops a bad item of a list and names it", () => {
    const entry = { content: "Do", priority: "high", status: "pending" };
    const result = decode(
      "SessionNotification",
      chunk({ sessionUpdate: "plan", entries: [entry, { content: 5 }] }),
    );
    expect(
      result.ok && (result.value as { update: { entries: unknown[] } }).update.entries,
    ).toEqual([entry]);
    expect(result.ok && result.notes.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ["/update/entries/1", "skip-invalid-items"],
    ]);
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

  test("completes defaults", () => {
    const result = decode("InitializeRequest", { protocolVersion: 1 });
    expect(result.ok && result.value).toMatchObject({
      clientCapabilities: { fs: { readTextFile: false }, terminal: false },
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

  test("completes defaults inside an envelope", () => {
    const params = { protocolVersion: 1 };
    const result = decode("ClientRequest", { id: 1, method: "initialize", params });
    expect(result.ok && result.value).toMatchObject({
      params: { clientCapabilities: { terminal: false } },
    });
  });
});
