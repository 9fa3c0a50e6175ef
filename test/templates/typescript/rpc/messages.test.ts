import { expect, test } from "vitest";
import { classify } from "../../../../templates/typescript/runtime/rpc/messages.js";

const error = { code: -32603, message: "Internal error" };

const call = { id: 1, method: "m" };

test.each<readonly [string, object]>([
  // An id and a method.
  ["request", call],
  ["request", { id: "1", method: "m", params: { a: 1 } }],
  ["request", { id: null, method: "" }],
  ["request", { id: 0, method: "m", params: [], extra: true }],
  // A method and no id.
  ["notification", { method: "m" }],
  ["notification", { method: "$/m", params: null }],
  // An id and exactly one of result and error.
  ["response", { id: 1, result: {} }],
  ["response", { id: "1", result: null }],
  ["response", { id: null, error }],
  ["response", { id: 1, error: { ...error, data: 1 } }],
  // A call and a response in one is neither.
  ["ambiguous", { method: "m", result: {} }],
  ["ambiguous", { method: "m", error }],
  ["ambiguous", { ...call, result: {} }],
  ["ambiguous", { method: "m", error: null, result: null }],
  // What resembles a response is not answered as a call.
  ["broken-response", { id: 1 }],
  ["broken-response", { result: {} }],
  ["broken-response", { id: 1, result: {}, error }],
  ["broken-response", { id: 1, error: null }],
  ["broken-response", { id: 1, error: { code: "1", message: "m" } }],
  ["broken-response", { id: 1, error: { code: 1.5, message: "m" } }],
  ["broken-response", { id: 1, error: { code: 1 } }],
  ["broken-response", { id: {}, result: {} }],
])("a message is of the kind %s: %j", (kind, message) => {
  expect(classify({ jsonrpc: "2.0", ...message }, true).kind).toBe(kind);
});

test.each<readonly [string, unknown]>([
  ["a batch", [{ jsonrpc: "2.0", ...call }]],
  ["an empty batch", []],
  ["null", null],
  ["a string", "m"],
  ["a number", 1],
  ["an object without anything", {}],
  ["another version", { jsonrpc: "1.0", ...call }],
  ["no version", call],
  ["a version that is a number", { jsonrpc: 2, ...call }],
  ["an id that is an object", { jsonrpc: "2.0", id: {}, method: "m" }],
  ["an id that is a boolean", { jsonrpc: "2.0", id: true, method: "m" }],
  ["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "m" }],
  ["an id that is no finite number", { jsonrpc: "2.0", id: Infinity, method: "m" }],
  ["an id that numbers do not hold exactly", { jsonrpc: "2.0", id: 2 ** 53, method: "m" }],
  ["a method that is no string", { jsonrpc: "2.0", method: 1 }],
  ["a method in the prototype", Object.create({ jsonrpc: "2.0", ...call }) as object],
])("%s is invalid and answered without an id", (_, value) => {
  expect(classify(value, true)).toEqual({ kind: "invalid", id: null });
});

test("an id may be null where the protocol says so", () => {
  const message = { jsonrpc: "2.0", id: null, method: "m" };
  expect(classify(message, true)).toEqual({ kind: "request", message });
  expect(classify(message, false)).toEqual({ kind: "invalid", id: null });
});

test("a message whose method is not a string is answered with its id", () => {
  const message = { jsonrpc: "2.0", id: 7, method: {} };
  expect(classify(message, true)).toEqual({ kind: "invalid", id: 7 });
});
