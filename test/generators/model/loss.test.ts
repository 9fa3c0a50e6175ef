import { expect, test } from "vitest";
import { buildProtocol } from "../../../generators/model/build/build.js";
import { compose } from "../../../generators/schema/compose.js";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { protocolOf } from "../schema/sources.js";

function build(schema: object): void {
  const bundle = compose(protocolOf({ Thing: schema as JsonSchema }), []);
  buildProtocol(bundle, { name: "test", title: "Test", description: "A test." });
}

test.each([
  ["a limit without the type that it is for", { minimum: 3 }, ""],
  ["a limit beside a reference", { type: "array", items: { maxItems: 2 } }, "/items"],
  ["a constant that is no string or integer", { const: false }, ""],
  ["alternatives of limits", { type: "string", anyOf: [{ minLength: 2 }, { maxLength: 1 }] }, ""],
])("%s is refused with its place, not lost", (_, schema, place) => {
  expect(() => build(schema)).toThrow(
    new RegExp(`things\\.json#/\\$defs/Thing${place}.* would be lost\\. Write it in one of the`),
  );
});

test.each([
  ["a list of values", { type: "string", enum: ["a", "b"] }],
  ["a constant without a type", { const: "a" }],
  ["a union of constants", { oneOf: [{ const: 1 }, { const: 2 }] }],
  ["an object that says that it is open", { type: "object", additionalProperties: true }],
])("%s is not a loss, in any notation", (_, schema) => {
  expect(() => build(schema)).not.toThrow();
});
