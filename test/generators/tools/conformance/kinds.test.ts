import { expect, test } from "vitest";
import type { CodecAnswer } from "../../../../generators/emit/corpus/answer.js";
import { isHardToRepresent } from "../../../../generators/emit/corpus/representation.js";
import { classifyAnswer } from "../../../../generators/tools/conformance/codec/kinds.js";
import type { Json } from "../../../../generators/schema/json-schema/json.js";

const DECLARED = new Set(["type", "text", "list", "_meta", "status"]);

/** Returns the kind, and the place, of a value found for an input that is decoded to `expected`. */
function kindOf(
  input: Json,
  found: { readonly [name: string]: Json },
  expected: Partial<CodecAnswer> = {},
  inputClass?: "representation",
): string {
  const { kind, pointer } = classifyAnswer(
    {
      op: "decode",
      one: {
        ...{ definition: "D", id: "typical", input: JSON.stringify(input) },
        ...(inputClass && { class: inputClass }),
      },
      expected: { verdict: "ok", value: input, notes: [], ...expected },
      found,
    },
    DECLARED,
  );
  return pointer === undefined ? kind : `${kind} at ${pointer}`;
}

const valueOf = (value: Json): { readonly verdict: string; readonly value: Json } => ({
  verdict: "ok",
  value,
});

test.each<readonly [string, string]>([
  ["drops an unknown property at /other", kindOf({ text: "a", other: 1 }, valueOf({ text: "a" }))],
  ["loses a property at /list/0/text", kindOf({ list: [{ text: "a" }] }, valueOf({ list: [{}] }))],
  [
    "changes what it cannot represent at /text",
    kindOf({ list: 1, text: "\ud800" }, valueOf({ text: "\ufffd" }), {}, "representation"),
  ],
  [
    "changes what it cannot represent at /text",
    kindOf({}, valueOf({ text: 0 }), { value: { text: Infinity } }, "representation"),
  ],
  ["loses a property at /text", kindOf({ text: 1 }, valueOf({}), {}, "representation")],
  ["loses null at /text", kindOf({ text: null }, valueOf({}))],
  ["loses an empty list or object at /list", kindOf({ list: [] }, valueOf({}))],
  ["loses _meta at /_meta/text", kindOf({ _meta: { text: 1 } }, valueOf({ _meta: {} }))],
  ["loses or adds an item at /list", kindOf({ list: [1, 2] }, valueOf({ list: [1] }))],
  ["changes a value at /text", kindOf({ text: 1 }, valueOf({ text: "1" }))],
  ["adds a property at /text", kindOf({}, valueOf({ text: null }))],
  ["leaves out a default at /text", kindOf({}, valueOf({}), { value: { text: "" } })],
  ["answers without a value", kindOf({}, { verdict: "ok" })],
  ["answers without a verdict", kindOf({}, {})],
  ["puts the value into a string", kindOf({ text: 1 }, valueOf('{"text":1}'))],
  ["loses a property at /text", kindOf({ text: "a", list: [1], _meta: 1 }, valueOf({ list: [] }))],
  [
    "drops or changes an unknown tag or value at /list",
    kindOf({ list: ["b"] }, valueOf({ list: [] }), { notes: [["/list/0", "unknown"]] }),
  ],
  [
    "drops an unknown property at /other",
    kindOf({ list: { status: "b" }, other: 1 }, valueOf({ list: { status: "b" } }), {
      notes: [["/list/status", "unknown"]],
    }),
  ],
  [
    "repairs to another value at /text",
    kindOf({ text: 1 }, valueOf({ text: 1 }), {
      value: {},
      notes: [["/text", "default-on-error"]],
    }),
  ],
  ["refuses a valid value", kindOf(1, { verdict: "invalid" })],
  ["refuses a valid value", kindOf(1, { verdict: "invalid" }, { notes: [["", "unsafe-integer"]] })],
  [
    "refuses what is repairable",
    kindOf(1, { verdict: "invalid" }, { notes: [["", "default-on-error"]] }),
  ],
  [
    "refuses an unknown tag or value",
    kindOf("a", { verdict: "invalid" }, { notes: [["", "unknown"]] }),
  ],
  ["accepts an invalid value", kindOf(1, valueOf(1), { verdict: "invalid" })],
  ["refuses text that is JSON", kindOf(1, { verdict: "malformed" })],
  ["accepts text that is not JSON", kindOf(1, valueOf(1), { verdict: "malformed" })],
])("a difference is classified: %s", (expected, found) => {
  expect(found).toBe(expected);
});

test.each<readonly [string, boolean]>([
  ['["\\ud83d\\ude00","\\\\ud800"]', false],
  ['{"\\udc00":1}', true],
  ["9223372036854774784", false],
  ["9223372036854775808", true],
  ["-9223372036854775808", false],
  ["1e21", true],
  ["1.5e300", true],
  ["-1e400", true],
  ['"1e400 [[[["', false],
  ["[".repeat(128) + "]".repeat(128), false],
  ["[".repeat(129) + "]".repeat(129), true],
  [`[${"[],".repeat(200)}1]`, false],
])("whether languages may fail to represent an input is known: %s", (input, isHard) => {
  expect(isHardToRepresent(input)).toBe(isHard);
});
