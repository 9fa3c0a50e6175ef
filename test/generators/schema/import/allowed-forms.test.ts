import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProtocol } from "../../../../generators/model/build/build.js";
import { importInput } from "../../../../generators/run/inputs/import-schema.js";
import type { Input } from "../../../../generators/run/inputs/input.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../../support/paths.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";
import { importSchemas, type Schemas } from "./exporters/typescript-schemas.js";

/*
 * Closed objects and patterns of any form, as `--allow` has them: ajv is asked about the schema as it
 * was written, the generated code about the same values.
 */

const folder = temporaryFolder();

function importDocument(
  document: object,
  allow: Parameters<typeof importInput>[0]["allow"],
): Input {
  const file = join(folder, "schema.json");
  writeFileSync(file, JSON.stringify(document));
  return importInput({ protocol: "v1", ...(allow && { allow }) }, file, join(ROOT, "schema"));
}

const CHECKED = ["patterns"] as const;

const S = { type: "string" };
const I = { type: "integer" };
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const open = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  ...open(properties, required),
  additionalProperties: false,
});

const $defs: JsonObject = {
  Empty: closed({}),
  Plain: closed({ a: S, b: I }, ["a"]),
  Nested: closed({ a: closed({ b: S }), l: { type: "array", items: closed({ c: I }) } }),
  MayBeNull: open({ a: { anyOf: [closed({ b: S }), { type: "null" }] } }),
  Tagged: {
    oneOf: [closed({ t: { const: "a" }, x: S }, ["t"]), closed({ t: { const: "b" } }, ["t"])],
  },
  ByReference: { oneOf: [ref("One"), ref("Two")] },
  One: closed({ t: { const: "one" }, x: S }, ["t"]),
  Two: closed({ t: { const: "two" }, y: S }, ["t"]),
  Untagged: { anyOf: [closed({ a: S }, ["a"]), closed({ a: S, b: I }, ["a", "b"])] },
  Exclusive: { oneOf: [closed({ a: S }), closed({ b: S })] },
  External: { oneOf: [closed({ a: S }, ["a"]), closed({ b: I }, ["b"]), { const: "none" }] },
  Both: { allOf: [closed({ a: S, b: S }), open({ a: { minLength: 2, ...S } })] },
  BothClosed: { allOf: [closed({ a: S, b: S }), closed({ b: S, c: S })] },
  OneOfMap: { allOf: [closed({ a: {}, b: {} }), { type: "object", additionalProperties: S }] },
  Beside: { ...closed({ a: S, b: S }), anyOf: [open({}, ["a"]), open({}, ["b"])] },
  Sealed: { ...ref("Base"), unevaluatedProperties: false },
  SealedMore: { allOf: [ref("Base"), open({ c: S })], unevaluatedProperties: false },
  SealedTags: {
    type: "object",
    properties: { id: S },
    oneOf: [open({ t: { const: "a" }, x: S }, ["t"]), open({ t: { const: "b" } }, ["t"])],
    unevaluatedProperties: false,
  },
  Base: open({ a: S, b: I }, ["a"]),
  Inherited: closed({ valueOf: S, toString: I }),
  Positive: { type: "number", exclusiveMinimum: 0 },
  Fraction: open({ x: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 } }),
  Whole: { type: "integer", exclusiveMinimum: 0, exclusiveMaximum: 2.5 },
  Choice: { type: "string", pattern: "^(a|bc)+$" },
  Ahead: { type: "string", pattern: "^(?!.*\\.\\.)[a-z.]+$" },
  Date: { type: "string", pattern: "^(?:\\d{4})-(?<month>0[1-9]|1[0-2])$" },
  Word: open({ w: { type: "string", pattern: "\\bend\\b" } }),
};

const ATOMS: readonly Json[] = [
  ...[
    null,
    true,
    0,
    1,
    2,
    3,
    -1,
    0.5,
    1.5,
    "",
    "a",
    "bc",
    "abc",
    "a.b",
    "a..b",
    "one",
    "two",
    "none",
  ],
  ...[
    "2026-11",
    "2026-13",
    "the end.",
    "bend",
    [],
    {},
    [{ c: 1 }],
    [{ d: 1 }],
    { b: "x" },
    { c: 1 },
  ],
];
const KEYS = ["a", "b", "c", "t", "x", "y", "w", "l", "id", "valueOf", "toString", "__proto__"];

function* values(): Generator<Json> {
  yield* ATOMS;
  for (const key of KEYS)
    for (const atom of ATOMS) {
      yield own([key, atom]);
      for (const other of KEYS)
        for (const second of ["x", 1]) yield own([key, atom], [other, second]);
    }
}

/** Makes an object as JSON.parse does, where any name is its own property. */
function own(...entries: readonly (readonly [string, Json])[]): Json {
  const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return JSON.parse(`{${text.join(",")}}`) as Json;
}

describe("what was allowed is checked as ajv does", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
  let generated: Schemas;
  beforeAll(async () => {
    ajv.addSchema({ $defs }, "all");
    const { bundle: composed, profile } = importDocument({ $defs }, CHECKED);
    const { schemas } = await importSchemas([buildProtocol(composed, profile)]);
    generated = schemas[profile.name]!;
  });

  test.each(Object.keys($defs))("%s", (name) => {
    const isValid = ajv.getSchema(`all#/$defs/${name}`)!;
    // ajv takes a property for evaluated that every object inherits.
    const isSure = (value: Json): boolean =>
      name !== "SealedTags" || !Object.keys(value ?? {}).some((key) => key in {});
    const wrong = [...values()].filter(
      (value) => generated[name]!.is(value) !== isValid(value) && isSure(value),
    );
    expect(wrong).toEqual([]);
  });

  test("receivers keep what a closed object does not have, and say so", () => {
    expect(generated["Plain"]!.decode({ a: "x", more: 1 })).toEqual({
      ok: true,
      value: { a: "x", more: 1 },
      notes: [
        { kind: "kept", pointer: "/more", rule: "unknown", reason: "the property is not known" },
      ],
    });
  });

  test("and is counted", () => {
    const closing = JSON.stringify($defs).match(/"(?:additional|unevaluated)Properties":false/g);
    expect(importDocument({ $defs }, CHECKED).allowed).toEqual({
      "closed-objects": closing!.length,
      patterns: 4,
    });
  });
});

test("a pattern of any form is refused without its switch", () => {
  const document = { $defs: { A: closed({ a: S }), B: $defs["Choice"]! } };
  expect(() => importDocument(document, undefined)).toThrow("/$defs/B/pattern: ");
});

test("closed objects can be read as open ones", () => {
  const document = { $defs: { A: { allOf: [closed({ a: S }, ["a"]), closed({ b: S }, ["b"])] } } };
  expect(() => importDocument(document, CHECKED)).toThrow("no value fits all parts");
  const { bundle: opened, allowed } = importDocument(document, ["opened-objects"]);
  expect(opened.definitions.get("A")!.schema).toEqual(open({ a: S, b: S }, ["a", "b"]));
  expect(allowed).toEqual({ "opened-objects": 2 });
});

test("tuples can be read as lists of items that fit any of their places", () => {
  const tuple = { type: "array", prefixItems: [S, I], items: false, minItems: 2 };
  const early = { type: "array", items: [S, I], additionalItems: S };
  const document = { $defs: { A: tuple, B: early } };
  expect(() => importDocument(document, CHECKED)).toThrow("tuples have no form");
  const { bundle: lists, allowed } = importDocument(document, ["opened-tuples"]);
  const items = { anyOf: [S, I] };
  expect(lists.definitions.get("A")!.schema).toMatchObject({ minItems: 2, maxItems: 2 });
  expect(lists.definitions.get("B")!.schema).toEqual({ type: "array", items });
  expect(allowed).toEqual({ "opened-tuples": 2 });
});

describe("what has no form is refused with --allow, too", () => {
  const cases: { readonly [what: string]: readonly [schema: JsonObject, message: string] } = {
    "properties that are required and cannot be there": [
      { ...closed({ a: S }), required: ["b"] },
      'the closed object requires "b", which it cannot have',
    ],
    "alternatives without a tag in an object that counts what they describe": [
      { type: "object", anyOf: [open({ a: S }), open({ b: S })], unevaluatedProperties: false },
      "the closed object has no form: a value may fit several of its alternatives, which have no tag",
    ],
    "a closed object that consists of itself": [
      { allOf: [{ $ref: "#/$defs/A" }], ...closed({ a: S }) },
      "the parts of allOf have no common form: a closed object contains itself",
    ],
    "patterns that other languages do not have": [
      { type: "string", pattern: "^(a)\\1$" },
      '"^(a)\\\\1$" has "\\1", which not every language has',
    ],
  };

  test.each(Object.entries(cases))("%s", (_, [schema, message]) => {
    expect(() => importDocument({ $defs: { A: schema } }, CHECKED)).toThrow(message);
  });
});
