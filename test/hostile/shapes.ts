import type { Json, JsonSchema } from "../../generators/schema/json-schema/json.js";

const TEXT = { description: "A text.", type: "string" } as const;
const variant = (kind: string, rest: JsonSchema = {}): JsonSchema => ({
  description: "A variant.",
  type: "object",
  required: ["kind"],
  ...rest,
  properties: { kind: { const: kind, type: "string" }, ...rest.properties },
});

/** Definitions that make generated checks use every helper, in the form of each shape. */
export const SHAPES: { readonly [name: string]: JsonSchema } = {
  Uses: {
    description: "An object with many kinds of properties.",
    type: "object",
    properties: {
      map: {
        description: "A map.",
        type: "object",
        additionalProperties: { type: "integer", minimum: 0 },
      },
      list: { description: "A list.", type: "array", items: TEXT, minItems: 1 },
      number: { description: "A number.", type: "number" },
      pattern: { description: "A word.", type: "string", pattern: "^[a-z]+$", maxLength: 4 },
      object: { description: "Any object.", type: "object" },
      color: { description: "A color.", anyOf: [{ const: "red" }, TEXT] },
      size: { description: "A size.", type: "integer", default: 1 },
      many: {
        description: "One of many.",
        type: "string",
        enum: Array.from({ length: 40 }, (_, index) => `e${index}`),
      },
      toString: TEXT,
      open: { description: "An open union.", $ref: "#/$defs/OpenUnion" },
      one: { description: "Exactly one.", $ref: "#/$defs/Exclusive" },
      levels: { description: "Levels of unions.", $ref: "#/$defs/Level4" },
    },
    required: ["toString"],
  },
  OpenUnion: {
    description: "A union of objects with a tag.",
    anyOf: [
      variant("a", { properties: { x: TEXT }, required: ["kind", "x"] }),
      variant("b"),
      {
        description: "Any other.",
        type: "object",
        properties: { kind: TEXT },
        required: ["kind"],
        additionalProperties: true,
      },
    ],
    discriminator: { propertyName: "kind" },
  },
  Exclusive: {
    description: "One of two.",
    oneOf: [
      { description: "A.", type: "object", properties: { a: TEXT }, required: ["a"] },
      { description: "B.", type: "object", properties: { b: TEXT }, required: ["b"] },
    ],
  },
  Level0: { description: "A text.", type: "string" },
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, index): [string, JsonSchema] => [
      `Level${index + 1}`,
      {
        description: "A union.",
        anyOf: ["a", "b"].map((name) => ({
          description: "An object.",
          type: "object",
          properties: { [name]: { description: "Below.", $ref: `#/$defs/Level${index}` } },
          required: [name],
        })),
      },
    ]),
  ),
};

const used = (rest: object): readonly [string, Json] => ["Uses", { toString: "t", ...rest }];

/** Values of `Uses`, both valid and invalid ones for each property. */
export const VALUES: readonly (readonly [definition: string, value: Json])[] = [
  ["Uses", {}],
  ...[{ a: 1 }, { a: -1 }, { a: "x" }, []].map((map) => used({ map })),
  ...[["a"], [], [1], "a"].map((list) => used({ list })),
  ...[1, 1.5, "1"].map((number) => used({ number })),
  ...["abc", "ABC", "abcde", 1].map((pattern) => used({ pattern })),
  ...[{}, [], 1].map((object) => used({ object })),
  ...["red", "blue", "_own", 1].map((color) => used({ color })),
  ...[1, 1.5, "1"].map((size) => used({ size })),
  ...["e0", "e39", "e40", "_e", 1].map((many) => used({ many })),
  ...[1, null].map((toString) => used({ toString })),
  ...[
    { kind: "a", x: "x" },
    { kind: "a", x: 1 },
    { kind: "b" },
    { kind: "_own", x: 1 },
    { kind: 1 },
    {},
  ].map((open) => used({ open })),
  ...[{ a: "a" }, { b: "b" }, { a: "a", b: "b" }, { a: 1 }, {}].map((one) => used({ one })),
  ...[{ a: { b: { a: { b: "x" } } } }, { a: { b: { a: { b: 1 } } } }, {}].map((levels) =>
    used({ levels }),
  ),
];
