import type { Decoded, Issue } from "acp-bindings";
import { describe, expect, it } from "vitest";
import { loadBindings, type Profile } from "../samples/profiles.js";

const TEXT = { type: "text", text: "Hi" };
const DEPTH = 100_000;

/** Where a hostile value is put: where anything may stand, where it is removed, where it is wrong. */
const PLACES: readonly {
  readonly profile: Profile;
  readonly definition: string;
  readonly where: string;
  readonly around: (hostile: unknown) => unknown;
}[] = [
  { profile: "v1", definition: "ContentBlock", where: "itself", around: (value) => value },
  {
    profile: "v1",
    definition: "ContentBlock",
    where: "_meta and annotations",
    around: (value) => ({ ...TEXT, _meta: value, annotations: value }),
  },
  {
    profile: "v1",
    definition: "SessionNotification",
    where: "an id and a list",
    around: (value) => ({ sessionId: value, update: { sessionUpdate: "plan", entries: value } }),
  },
  {
    profile: "v1",
    definition: "ToolCall",
    where: "any place",
    around: (value) => ({ toolCallId: "1", title: "T", rawInput: value, content: [value, value] }),
  },
  {
    profile: "v1",
    definition: "AuthMethodTerminal",
    where: "a map",
    around: (value) => ({ id: "1", name: "N", env: value }),
  },
  {
    profile: "v1-unstable",
    definition: "ClientRequest",
    where: "params",
    around: (params) => ({ id: 1, method: "initialize", params }),
  },
  { profile: "v2", definition: "ErrorData", where: "itself", around: (value) => value },
  {
    profile: "v2",
    definition: "SessionUpdate",
    where: "an unknown update",
    around: (value) => ({ sessionUpdate: value, value }),
  },
  {
    profile: "v2-full",
    definition: "SessionConfigSelectOptions",
    where: "itself and an item",
    around: (value) => (isList(value) ? value : [value]),
  },
  { profile: "v2-full", definition: "NesSuggestion", where: "itself", around: (value) => value },
];

const HOSTILE: { readonly [what: string]: () => unknown } = {
  "an object nested 100,000 deep": () => nested((value) => ({ content: value, _meta: value })),
  "an array nested 100,000 deep": () => nested((value) => [value]),
  "a string of 10 MB": () => "x".repeat(10_000_000),
  "a key and a tag of 1 MB": () => {
    const text = "k".repeat(1_000_000);
    return { [text]: 1, type: text };
  },
  "keys of Object.prototype": () =>
    JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, "hasOwnProperty": 1, "toString": null, "valueOf": 1}',
    ),
  "a tag that every object has": () => ({ type: "constructor", sessionUpdate: "__proto__" }),
  "100,000 numbers": () => Array.from({ length: 100_000 }, (_, index) => index),
  "one object in 1,000 places": () => new Array(1000).fill({ options: [TEXT], content: TEXT }),
  "one object in 2^40 places": () => {
    let value: unknown = TEXT;
    for (let level = 0; level < 40; level++) value = { content: value, options: [value, value] };
    return value;
  },
  "an object that holds itself": () => {
    const value: { [key: string]: unknown } = { ...TEXT, type: "unknown" };
    for (const key of ["content", "_meta", "self", "options"]) value[key] = value;
    return value;
  },
  "an array that holds itself": () => {
    const value: unknown[] = [];
    value.push(value, value);
    return value;
  },
  "an object without a prototype": () => Object.assign(Object.create(null), TEXT),
  "a frozen object": () => Object.freeze({ ...TEXT, annotations: Object.freeze({ audience: 5 }) }),
  "getters that throw": () =>
    Object.defineProperty({ text: "Hi" }, "type", { enumerable: true, get: boom }),
  "a proxy that always throws": () =>
    new Proxy({}, { get: boom, ownKeys: boom, has: boom, getOwnPropertyDescriptor: boom }),
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "what is no JSON": () => ({
    type: Symbol("x"),
    text: 10n ** 500n,
    content: () => 1,
    entries: NaN,
  }),
};

function boom(): never {
  throw new Error("boom");
}

function nested(around: (value: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < DEPTH; level++) value = around(value);
  return value;
}

describe.each(PLACES)("a hostile $where of $definition ($profile)", async (place) => {
  const { decode, schemaOf, definitions } = await loadBindings(place.profile);

  // A release may not have the definition.
  it.skipIf(!definitions.includes(place.definition))("does no harm", () => {
    for (const [what, make] of Object.entries(HOSTILE)) {
      const value = place.around(make());
      for (const unknown of ["keep", "reject"] as const)
        expectSmall(what, decode(place.definition, value, { unknown, maxIssues: 5 }));
      const issues = schemaOf(place.definition).issues(value);
      expect(issues.length, what).toBeLessThanOrEqual(16);
      issues.forEach((issue) => expectShort(what, issue));
      expect(Object.keys(Object.prototype), what).toEqual([]);
    }
  });
});

function expectSmall(what: string, result: Decoded<unknown>): void {
  if (result.ok) {
    // One of a kind; the list itself is as long as the notes.
    for (const { pointer, reason } of result.notes.slice(0, 10)) {
      expect(pointer.length, what).toBeLessThanOrEqual(1000);
      expect(reason.length, what).toBeLessThanOrEqual(1000);
    }
    return;
  }
  expect(result.issues.length, what).toBeGreaterThan(0);
  expect(result.issues.length, what).toBeLessThanOrEqual(5);
  result.issues.forEach((issue) => expectShort(what, issue));
}

function expectShort(what: string, { found, expected, pointer }: Issue): void {
  expect(found.length, what).toBeLessThanOrEqual(100);
  expect(expected.length, what).toBeLessThanOrEqual(1000);
  expect(pointer.length, what).toBeLessThanOrEqual(1000);
}

/** A revoked proxy cannot even be asked what it is. */
function isList(value: unknown): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}
