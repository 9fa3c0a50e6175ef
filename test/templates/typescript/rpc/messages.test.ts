import { describe, expect, test } from "vitest";
import { classify } from "../../../../templates/typescript/runtime/rpc/messages.js";

const error = { code: -32603, message: "Internal error" };

describe("a message", () => {
  test.each([
    { id: 1, method: "m" },
    { id: "1", method: "m", params: { a: 1 } },
    { id: null, method: "" },
    { id: 0, method: "m", params: [], extra: true },
  ])("with an id and a method is a request: %j", (message) => {
    expect(kindOf(message)).toBe("request");
  });

  test.each([{ method: "m" }, { method: "$/m", params: null }])(
    "with a method and no id is a notification: %j",
    (message) => {
      expect(kindOf(message)).toBe("notification");
    },
  );

  test.each([
    { id: 1, result: {} },
    { id: "1", result: null },
    { id: null, error },
    { id: 1, error: { ...error, data: 1 } },
  ])("with an id and exactly one of result and error is a response: %j", (message) => {
    expect(kindOf(message)).toBe("response");
  });

  test.each([
    ["a batch", [{ jsonrpc: "2.0", id: 1, method: "m" }]],
    ["an empty batch", []],
    ["null", null],
    ["a string", "m"],
    ["a number", 1],
    ["an object without anything", {}],
    ["another version", { jsonrpc: "1.0", id: 1, method: "m" }],
    ["no version", { id: 1, method: "m" }],
    ["a version that is a number", { jsonrpc: 2, id: 1, method: "m" }],
    ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "m" }],
    ["an id that is a boolean", { jsonrpc: "2.0", id: true, method: "m" }],
    ["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "m" }],
    ["an id that is no finite number", { jsonrpc: "2.0", id: Infinity, method: "m" }],
    ["an id that numbers do not hold exactly", { jsonrpc: "2.0", id: 2 ** 53, method: "m" }],
    ["a method that is no string", { jsonrpc: "2.0", method: 1 }],
    ["a method in the prototype", Object.create({ jsonrpc: "2.0", id: 1, method: "m" }) as object],
  ])("that is %s is invalid and answered without an id", (_, value) => {
    expect(classify(value, true)).toEqual({ kind: "invalid", id: null });
  });

  test("has an id that may be null where the protocol says so", () => {
    const message = { jsonrpc: "2.0", id: null, method: "m" };
    expect(classify(message, true)).toEqual({ kind: "request", message });
    expect(classify(message, false)).toEqual({ kind: "invalid", id: null });
  });

  test.each([{ result: {} }, { error }, { id: 1, result: {} }, { error: null, result: null }])(
    "that is a call and a response in one is neither: %j",
    (rest) => {
      expect(kindOf({ method: "m", ...rest })).toBe("ambiguous");
    },
  );

  test("whose method is not a string is answered with its id", () => {
    expect(classify({ jsonrpc: "2.0", id: 7, method: {} }, true)).toEqual({
      kind: "invalid",
      id: 7,
    });
  });

  test.each([
    { id: 1 },
    { result: {} },
    { id: 1, result: {}, error },
    { id: 1, error: null },
    { id: 1, error: { code: "1", message: "m" } },
    { id: 1, error: { code: 1.5, message: "m" } },
    { id: 1, error: { code: 1 } },
    { id: {}, result: {} },
  ])("that resembles a response but is invalid is not answered as a call: %j", (message) => {
    expect(kindOf(message)).toBe("broken-response");
  });
});

function kindOf(message: object): string {
  return classify({ jsonrpc: "2.0", ...message }, true).kind;
}
