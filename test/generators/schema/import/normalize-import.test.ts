import { describe, expect, test } from "vitest";
import { normalizeImport } from "../../../../generators/schema/import/normalize-import.js";
import type { Json } from "../../../../generators/schema/json-schema/json.js";

const string = { type: "string" };
const object = (properties: Json): { readonly [keyword: string]: Json } => ({
  type: "object",
  properties,
});
const tag = (value: string): Json => ({
  type: "object",
  properties: { type: { type: "string", const: value } },
  required: ["type"],
});

describe("a schema of another dialect is rewritten", () => {
  const equivalences: readonly [what: string, written: Json, form: Json][] = [
    [
      "a boolean schema that accepts everything",
      { type: "array", items: true },
      { type: "array", items: {} },
    ],
    ["an array without items", { type: "array" }, { type: "array", items: {} }],
    [
      "an open map",
      { type: "object", additionalProperties: {} },
      { type: "object", additionalProperties: true },
    ],
    ["no properties", { type: "object", properties: {}, required: [] }, { type: "object" }],
    [
      "a list of types",
      { type: ["string", "integer"], minimum: 1, minLength: 2, description: "It." },
      {
        description: "It.",
        anyOf: [
          { type: "string", minLength: 2 },
          { type: "integer", minimum: 1 },
        ],
      },
    ],
    [
      "one type and null, alternatives in a definition and a type of a property",
      { anyOf: [{ type: ["string", "null"] }, object({ a: { type: ["null", "string"] } })] },
      { anyOf: [{ type: ["string", "null"] }, object({ a: { type: ["string", "null"] } })] },
    ],
    [
      "all types",
      { type: ["array", "boolean", "null", "number", "object", "string"], title: "Any" },
      { title: "Any" },
    ],
    [
      "a combination of objects",
      {
        allOf: [
          { $ref: "#/definitions/Base" },
          { type: "object", properties: { b: { enum: ["x"] } }, required: ["b"] },
        ],
        description: "Mine.",
      },
      {
        type: "object",
        properties: { a: string, b: { type: "string", enum: ["x"] } },
        required: ["a", "b"],
        description: "Mine.",
      },
    ],
    [
      "a combination of one, as it is",
      { allOf: [{ $ref: "#/$defs/Base" }] },
      { allOf: [{ $ref: "#/$defs/Base" }] },
    ],
    [
      "a combination with a union of other properties, whose alternatives share it",
      {
        allOf: [
          { $ref: "#/$defs/Base" },
          { anyOf: [object({ c: string }), object({ d: string })] },
        ],
      },
      {
        ...object({ a: string, b: string }),
        required: ["a"],
        anyOf: [object({ c: string }), object({ d: string })],
      },
    ],
    [
      "a combination with a union of the same properties, in each alternative",
      { allOf: [{ anyOf: [object({ a: { const: "x" } }), string] }, object({ a: string })] },
      object({ a: { type: "string", const: "x" } }),
    ],
    [
      "other values that a schema excludes, as they are",
      { type: "object", not: { type: "string" } },
      { type: "object", not: { type: "string" } },
    ],
    [
      "a property that is a schema or null",
      object({
        a: {
          anyOf: [{ type: "string", title: "A", minLength: 1 }, { type: "null" }],
          default: null,
        },
        b: { anyOf: [{ type: "null" }, { $ref: "#/$defs/Base" }] },
        c: { oneOf: [{ $ref: "#/$defs/Base" }, { const: null }] },
        d: { type: "array", items: { oneOf: [{ type: "integer" }, { type: "null" }] } },
        e: { anyOf: [{ enum: ["x"] }, { type: "null" }] },
      }),
      object({
        a: { type: ["string", "null"], title: "A", minLength: 1, default: null },
        b: { anyOf: [{ $ref: "#/$defs/Base" }, { type: "null" }] },
        c: { anyOf: [{ $ref: "#/$defs/Base" }, { type: "null" }] },
        d: { type: "array", items: { type: ["integer", "null"] } },
        e: { anyOf: [{ enum: ["x"] }, { type: "null" }] },
      }),
    ],
    [
      "objects with different tags, in anyOf or with a list of one value",
      object({
        a: { anyOf: [tag("x"), tag("y")] },
        b: {
          anyOf: ["x", "y"].map((one) => ({
            ...object({ type: { enum: [one] } }),
            required: ["type"],
          })),
        },
        c: { anyOf: [tag("x"), tag("x")] },
        d: { anyOf: [tag("x"), object({ type: string })] },
      }),
      object({
        a: { oneOf: [tag("x"), tag("y")] },
        b: { oneOf: [tag("x"), tag("y")] },
        c: { anyOf: [tag("x"), tag("x")] },
        d: { anyOf: [tag("x"), object({ type: string })] },
      }),
    ],
    [
      "a discriminator whose tag is in other definitions",
      {
        oneOf: [{ $ref: "#/$defs/Base" }],
        discriminator: { propertyName: "type", mapping: { base: "#/$defs/Base" } },
      },
      { oneOf: [{ $ref: "#/$defs/Base" }] },
    ],
    [
      "variants beside a type, without one of their own",
      { type: "object", oneOf: [{ properties: { a: string } }, { properties: { b: string } }] },
      { oneOf: [object({ a: string }), object({ b: string })] },
    ],
    [
      "excluded tags that the union does not have",
      {
        anyOf: [
          tag("items"),
          {
            type: "object",
            properties: { type: string },
            required: ["type"],
            not: { anyOf: [tag("items"), tag("file")] },
          },
        ],
      },
      {
        anyOf: [
          tag("items"),
          {
            type: "object",
            properties: { type: string },
            required: ["type"],
            not: { anyOf: [tag("items")] },
          },
        ],
      },
    ],
    [
      "the absence of a property that is not described",
      { type: "object", properties: { hint: string }, not: { type: "object", required: ["type"] } },
      { type: "object", properties: { hint: string } },
    ],
  ];
  test.each(equivalences)("%s", (_, written, form) => {
    const Base = { type: "object", properties: { a: string, b: string }, required: ["a"] };
    const { document } = normalizeImport({ definitions: { Base, It: written } } as never);
    expect(document["$defs"]).toEqual({ Base, It: form });
  });

  test("definitions of draft-07, and references to them", () => {
    const definitions = { A: { $ref: "#/definitions/B" }, B: string };
    expect(normalizeImport({ $schema: "x", definitions }).document).toEqual({
      $schema: "x",
      $defs: { A: { $ref: "#/$defs/B" }, B: string },
    });
  });

  const conflicts: readonly [what: string, a: Json, b: Json, message: string][] = [
    [
      "patterns",
      { type: "string", pattern: "a" },
      { type: "string", pattern: "b" },
      'both have "pattern"',
    ],
    ["types", string, { type: "integer" }, "no value fits both"],
    ["unions", { anyOf: [string, tag("a")] }, { anyOf: [string, tag("b")] }, "both are unions"],
    [
      "references to definitions that contain themselves",
      { $ref: "#/$defs/One" },
      { $ref: "#/$defs/Two" },
      "they refer to definitions that contain themselves",
    ],
  ];
  test.each(conflicts)("objects with different %s are not combined", (_, a, b, reason) => {
    const found: string[] = [];
    const One = object({ next: { $ref: "#/$defs/One" }, one: string });
    const Two = object({ next: { $ref: "#/$defs/Two" }, two: string });
    const It = { allOf: [object({ p: object({ q: a }) }), object({ p: object({ q: b }) })] };
    normalizeImport({ $defs: { One, Two, It } }, (path, message) => {
      found.push(`${path.join("/")}: ${message}`);
    });
    const [first = ""] = found;
    expect(found).toHaveLength(1);
    expect(first).toMatch(/^\$defs\/It\/allOf: the parts .* of the property "p\/q/);
    expect(first).toContain(reason);
  });

  test("stops where a combination contains itself", () => {
    const A = { allOf: [{ $ref: "#/$defs/A" }, { properties: { a: string } }] };
    expect(normalizeImport({ $defs: { A } }).document["$defs"]).toEqual({ A });
  });
});
