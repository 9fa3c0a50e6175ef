import { InvalidValueError, type Schema } from "acp-bindings";
import * as v1 from "acp-bindings/v1/schemas";
import * as full from "acp-bindings/v1-full/schemas";
import * as v2 from "acp-bindings/v2/schemas";
import { describe, expect, test } from "vitest";
import { corpus } from "../samples/corpus-lines.js";

function schemaIn(module: object, name: string): Schema<unknown> {
  return (module as { readonly [name: string]: Schema<unknown> })[name]!;
}

/** Why a value of a definition is refused, as place and rule. */
function refusals(name: string, value: unknown, module: object = v1): string[] {
  try {
    schemaIn(module, name).encode(value);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return error.issues.map(({ pointer, rule }) => `${pointer} ${rule}`);
  }
}

function chunk(update: object): object {
  return { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", ...update } };
}

const content = { type: "text", text: "Hi" };

describe("a value that may be sent is returned unchanged", () => {
  test("for every valid value of the corpus", () => {
    for (const { def, value } of corpus("valid"))
      expect(schemaIn(v1, def).encode(value), def).toBe(value);
  });

  test("also with metadata and data of any shape", () => {
    const value = chunk({ content, _meta: { "vendor/x": { deep: [null, { any: 1 }] } } });
    expect(refusals("SessionNotification", value)).toEqual([]);
  });
});

describe("a sender must not send", () => {
  test("a value that the schema refuses, such as any invalid value of the corpus", () => {
    const passed = corpus("invalid").filter(({ def, value }) => refusals(def, value).length === 0);
    expect(passed).toEqual([]);
  });

  test("a value that a receiver would repair", () => {
    const value = chunk({ content: { ...content, annotations: 5 } });
    expect(refusals("SessionNotification", value)).toEqual(["/update/content/annotations type"]);
  });

  test("a property that is not declared, at any depth", () => {
    const value = { ...chunk({ content: { ...content, colour: "red" } }), extra: 1 };
    expect(refusals("SessionNotification", value)).toEqual([
      "/extra undeclared",
      "/update/content/colour undeclared",
    ]);
  });

  test("a variant or a capability of a feature that is not in the profile", () => {
    const clear = { sessionId: "s", update: { sessionUpdate: "agent_message_clear" } };
    expect(refusals("SessionNotification", clear)).toEqual(["/update/sessionUpdate enum"]);
    expect(refusals("SessionNotification", clear, full)).toEqual([]);
    const hello = { protocolVersion: 1, clientCapabilities: { nes: {} } };
    expect(refusals("InitializeRequest", hello)).toEqual(["/clientCapabilities/nes undeclared"]);
    expect(refusals("InitializeRequest", hello, full)).toEqual([]);
  });

  test("custom tags and values without a leading underscore", () => {
    const update = (sessionUpdate: string): object => ({
      sessionId: "s",
      update: { sessionUpdate, anything: 1 },
    });
    expect(refusals("UpdateSessionNotification", update("_vendor"), v2)).toEqual([]);
    expect(refusals("UpdateSessionNotification", update("vendor"), v2)).toEqual([
      "/update/sessionUpdate enum",
    ]);
    const option = { optionId: "o", name: "Yes", kind: "_vendor" };
    expect(refusals("PermissionOption", option, v2)).toEqual([]);
    expect(refusals("PermissionOption", { ...option, kind: "later" }, v2)).toEqual(["/kind enum"]);
    expect(() => v2.PermissionOption.encode({ ...option, kind: "later" } as never)).toThrow(
      'expected one of allow_once, allow_always, reject_once, reject_always, or a name that begins with "_"',
    );
  });

  test.each([
    ["NaN", Number.NaN],
    ["infinity", Number.POSITIVE_INFINITY],
    ["a big integer", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["nothing in a list", [undefined]],
    ["a hole in a list", [, 1]],
    ["a map", new Map([["a", 1]])],
    ["a map with a property", Object.assign(new Map(), { a: 1 })],
    ["a set", new Set([1])],
    ["an invalid date", new Date(Number.NaN)],
    ["an error", new Error("x")],
    ["bytes", new Uint8Array(2)],
    ["a string object", new String("text")],
    ["a number object", new Number(5)],
    [
      "an instance without properties",
      new (class Hidden {
        #secret = 1;
        get() {
          return this.#secret;
        }
      })(),
    ],
    ["what is only inherited", Object.create({ a: 1 })],
    ["a function beside toJSON that is no function", { toJSON: 1, more: () => 1 }],
  ])("a value that JSON cannot represent, even in data of any shape: %s", (_, value) => {
    const update = {
      sessionUpdate: "tool_call_update",
      toolCallId: "t",
      rawInput: { "a/b": value },
    };
    const [refusal] = refusals("SessionNotification", { sessionId: "s", update });
    expect(refusal).toMatch(/^\/update\/rawInput\/a~1b(\/0|\/more)? json$/);
  });

  test("an instance whose contents JSON would drop, which the error names", () => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", rawInput: new Map() };
    expect(() => v1.SessionNotification.encode({ sessionId: "s", update } as never)).toThrow(
      /^SessionNotification at \/update\/rawInput: expected a plain object, found an instance of Map$/,
    );
  });

  test.each([
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["an empty object", {}],
    [
      "an instance with properties",
      new (class Point {
        x = 1;
      })(),
    ],
    ["a date", new Date(0)],
    [
      "what makes its own JSON",
      new (class {
        toJSON = () => 1;
      })(),
    ],
  ])("but not %s", (_, value) => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", rawInput: [value] };
    expect(refusals("SessionNotification", { sessionId: "s", update })).toEqual([]);
  });

  test.each([
    ["nothing", { toJSON: () => undefined }, ""],
    ["a big integer", { toJSON: () => ({ deep: 1n }) }, "/deep"],
    [
      "itself, with a map inside",
      new (class {
        deep = new Map();
        toJSON(): this {
          return this;
        }
      })(),
      "/deep",
    ],
  ])("a value that makes %s its JSON", (_, value, pointer) => {
    const update = { sessionUpdate: "tool_call_update", toolCallId: "t", rawInput: { a: value } };
    expect(refusals("SessionNotification", { sessionId: "s", update })).toEqual([
      `/update/rawInput/a${pointer} json`,
    ]);
  });

  test("an object or a list with toJSON where the protocol declares properties or items", () => {
    const update = { sessionUpdate: "agent_message_chunk", content };
    const notification = { sessionId: "s", update };
    const toJSON = (): object => ({ anything: 1 });
    const inherited = { toJSON };
    const cases: readonly [value: object, pointer: string][] = [
      [Object.assign(Object.create(inherited), notification), ""],
      [Object.defineProperty({ ...notification }, "toJSON", { value: toJSON }), ""],
      [{ ...notification, toJSON }, ""],
      [chunk({ content: Object.assign(Object.create(inherited), content) }), "/update/content"],
      [chunk({ content, _meta: new Date(0) }), "/update/_meta"],
    ];
    for (const [value, pointer] of cases)
      expect(refusals("SessionNotification", value)).toEqual([`${pointer} json`]);
    const prompt = Object.setPrototypeOf(
      [content],
      Object.create(Array.prototype, { toJSON: { value: toJSON } }),
    );
    expect(refusals("PromptRequest", { sessionId: "s", prompt })).toEqual(["/prompt json"]);
    expect(() => v1.PromptRequest.encode({ sessionId: "s", prompt })).toThrow(
      /^PromptRequest at \/prompt: expected a value without toJSON, found an array of 1$/,
    );
  });

  test("a declared property that is not enumerable, which JSON drops", () => {
    const hiding = (value: object, name: string, hidden: unknown): object =>
      Object.defineProperty({ ...value }, name, { value: hidden });
    const update = { sessionUpdate: "agent_message_chunk", content };
    const cases: readonly [value: object, pointer: string][] = [
      [hiding({ update }, "sessionId", "s"), "/sessionId"],
      [hiding({ sessionId: "s" }, "update", update), "/update"],
      [{ sessionId: "s", update: hiding(update, "messageId", "m") }, "/update/messageId"],
      [
        { sessionId: "s", update: hiding({ content }, "sessionUpdate", "agent_message_chunk") },
        "/update/sessionUpdate",
      ],
      [chunk({ content: hiding({ type: "text" }, "text", "Hi") }), "/update/content/text"],
      [hiding({ sessionId: "s", update }, "_meta", {}), "/_meta"],
    ];
    for (const [value, pointer] of cases)
      expect(refusals("SessionNotification", value)).toEqual([`${pointer} json`]);
    // Neither is sent nor checked.
    expect(
      refusals("SessionNotification", hiding({ sessionId: "s", update }, "cache", {})),
    ).toEqual([]);
    expect(
      refusals("SessionNotification", hiding({ sessionId: "s", update }, "_meta", undefined)),
    ).toEqual([]);
  });

  test("a value that cannot be read", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(refusals("SessionNotification", proxy)).toEqual([" readable"]);
  });

  test("a circle, or nesting without end, but the same object twice", () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const twice = {};
    expect(refusals("SessionNotification", chunk({ content, _meta: circle }))).toEqual([
      "/update/_meta/self json",
    ]);
    expect(
      refusals("SessionNotification", chunk({ content, _meta: { a: twice, b: twice } })),
    ).toEqual([]);
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(refusals("SessionNotification", chunk({ content, _meta: deep }))).toEqual([" depth"]);
  });
});

test("a property that is undefined is a property that is absent", () => {
  const value = chunk({ content, messageId: undefined, later: undefined });
  expect(refusals("SessionNotification", value)).toEqual([]);
});

test("the error describes the mistake, and omits long values", () => {
  const long = "x".repeat(10_000);
  const encode = (): unknown =>
    schemaIn(v1, "SessionNotification").encode(chunk({ content: long }));
  expect(encode).toThrow(
    /^SessionNotification at \/update\/content: expected object, found "x{60}…"$/,
  );
});
