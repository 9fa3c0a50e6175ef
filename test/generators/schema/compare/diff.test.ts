import { describe, expect, test } from "vitest";
import { diffSchemas, type Difference } from "../../../../generators/schema/compare/diff.js";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";

const base: JsonSchema = {
  $defs: {
    Thing: {
      description: "A thing.",
      type: "object",
      properties: { id: { type: "string" }, size: { type: "integer", minimum: 0, default: 1 } },
      required: ["id"],
    },
    Kind: {
      oneOf: [
        { type: "string", const: "a" },
        { type: "string", const: "b" },
      ],
    },
    Any: {
      anyOf: [
        { title: "Text", type: "string" },
        { title: "Number", type: "integer" },
      ],
    },
  },
};

/** The base with one definition replaced. */
function changed(name: string, schema: JsonSchema): JsonSchema {
  return { ...base, $defs: { ...base.$defs, [name]: schema } };
}

const thing = base.$defs!["Thing"]!;

describe("the structural diff", () => {
  test("finds nothing between schemas that differ in text, key order and order of required", () => {
    const same: JsonSchema = {
      $defs: {
        Any: base.$defs!["Any"]!,
        Kind: {
          oneOf: [
            { const: "a", type: "string", description: "First." },
            { type: "string", const: "b" },
          ],
        },
        Thing: {
          required: ["id"],
          properties: { size: { default: 1, minimum: 0, type: "integer" }, id: { type: "string" } },
          type: "object",
          "x-docs-ignore": true,
        },
      },
    };
    expect(diffSchemas(base, same)).toEqual([]);
  });

  const cases: {
    readonly [what: string]: readonly [
      schema: JsonSchema,
      expected: Pick<Difference, "pointer" | "kind">[],
    ];
  } = {
    "an added definition": [changed("New", {}), [{ pointer: "/$defs/New", kind: "added" }]],
    "a removed property": [
      changed("Thing", { ...thing, properties: { id: { type: "string" } } }),
      [{ pointer: "/$defs/Thing/properties/size", kind: "removed" }],
    ],
    "a changed type": [
      changed("Thing", { ...thing, properties: { ...thing.properties, id: { type: "integer" } } }),
      [{ pointer: "/$defs/Thing/properties/id/type", kind: "changed" }],
    ],
    "a changed required set": [
      changed("Thing", { ...thing, required: ["id", "size"] }),
      [{ pointer: "/$defs/Thing/required", kind: "changed" }],
    ],
    "a changed default": [
      changed("Thing", {
        ...thing,
        properties: { ...thing.properties, size: { type: "integer", minimum: 0, default: 2 } },
      }),
      [{ pointer: "/$defs/Thing/properties/size/default", kind: "changed" }],
    ],
    "a changed constraint": [
      changed("Thing", {
        ...thing,
        properties: { ...thing.properties, size: { type: "integer", minimum: 1, default: 1 } },
      }),
      [{ pointer: "/$defs/Thing/properties/size/minimum", kind: "changed" }],
    ],
    "an added decode flag": [
      changed("Thing", {
        ...thing,
        properties: {
          ...thing.properties,
          id: { type: "string", "x-deserialize-default-on-error": true },
        },
      }),
      [{ pointer: "/$defs/Thing/properties/id/x-deserialize-default-on-error", kind: "added" }],
    ],
    "a changed method": [
      changed("Thing", { ...thing, "x-method": "x/y" }),
      [{ pointer: "/$defs/Thing/x-method", kind: "added" }],
    ],
    "an added value": [
      changed("Kind", { oneOf: [...base.$defs!["Kind"]!.oneOf!, { type: "string", const: "c" }] }),
      [{ pointer: "/$defs/Kind/oneOf/variants/c", kind: "added" }],
    ],
    "a changed order of variants": [
      changed("Any", { anyOf: base.$defs!["Any"]!.anyOf!.toReversed() }),
      [{ pointer: "/$defs/Any/anyOf/order", kind: "changed" }],
    ],
    "a changed title of a variant without a tag": [
      changed("Any", {
        anyOf: [{ title: "String", type: "string" }, base.$defs!["Any"]!.anyOf![1]!],
      }),
      [
        { pointer: "/$defs/Any/anyOf/variants/String", kind: "added" },
        { pointer: "/$defs/Any/anyOf/variants/Text", kind: "removed" },
      ],
    ],
    "oneOf that became anyOf": [
      changed("Kind", { anyOf: base.$defs!["Kind"]!.oneOf! }),
      [
        { pointer: "/$defs/Kind/anyOf", kind: "added" },
        { pointer: "/$defs/Kind/oneOf", kind: "removed" },
      ],
    ],
  };
  test.each(Object.entries(cases))("finds %s", (_, [after, expected]) => {
    expect(diffSchemas(base, after).map(({ pointer, kind }) => ({ pointer, kind }))).toEqual(
      expected,
    );
    expect(diffSchemas(after, base)).toHaveLength(expected.length);
  });
});
