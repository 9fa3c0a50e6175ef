import { describe, expect, test } from "vitest";
import { normalizeImport } from "../../../generators/schema/compose/normalize-import.js";
import type { Json } from "../../../generators/schema/json-schema/json.js";

const string = { type: "string" };
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
    ["one type and null, as it is", { type: ["string", "null"] }, { type: ["string", "null"] }],
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
        properties: { a: string, b: { enum: ["x"] } },
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
      "a combination with a union, as it is",
      { allOf: [{ $ref: "#/$defs/Base" }, { anyOf: [string, { type: "null" }] }] },
      { allOf: [{ $ref: "#/$defs/Base" }, { anyOf: [string, { type: "null" }] }] },
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
    const { $defs } = normalizeImport({ definitions: { Base, It: written } } as never);
    expect($defs).toEqual({ Base, It: form });
  });

  test("definitions of draft-07, and references to them", () => {
    const definitions = { A: { $ref: "#/definitions/B" }, B: string };
    expect(normalizeImport({ $schema: "x", definitions })).toEqual({
      $schema: "x",
      $defs: { A: { $ref: "#/$defs/B" }, B: string },
    });
  });

  test("stops where a combination contains itself", () => {
    const A = { allOf: [{ $ref: "#/$defs/A" }, { properties: { a: string } }] };
    expect(normalizeImport({ $defs: { A } }).$defs).toEqual({ A });
  });
});
