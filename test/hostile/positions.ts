import type { Json, JsonObject } from "../../generators/schema/json-schema/json.js";

/** A place in a module where text of its author stands. */
export interface Position {
  readonly name: string;
  /**
   * The parts of a module with a text in that place.
   *
   * @param own a name for a definition that no other case has
   */
  readonly make: (text: string, own: string) => ModuleParts;
  /** Where a problem with the text is found. */
  readonly pointer: RegExp;
}

export interface ModuleParts {
  readonly definitions: { readonly [name: string]: JsonObject };
  readonly methods?: readonly JsonObject[];
}

const STRING = { type: "string" };

/** An object with one property of that name: fields that are read back by their key. */
const keyed = (key: string, value: Json): JsonObject => Object.fromEntries([[key, value]]);

const one =
  (make: (text: string) => JsonObject): Position["make"] =>
  (text, own) => ({ definitions: keyed(own, make(text)) as ModuleParts["definitions"] });

/** A request whose params and result are its own definition. */
function method(own: string, parts: JsonObject): JsonObject {
  return {
    name: `hostile/${own.toLowerCase()}`,
    side: "agent",
    kind: "request",
    params: own,
    result: own,
    gate: { always: "baseline" },
    summary: "A method.",
    description: "A method.",
    examples: [{ title: "Any", params: {}, result: {} }],
    ...parts,
  };
}

const inside = (rest: string): RegExp => new RegExp(`^/\\$defs/[^/]*${rest}`);

/** The twelve positions. */
export const POSITIONS: readonly Position[] = [
  {
    name: "description",
    make: (text, own) => ({
      definitions: {
        [own]: {
          description: text,
          type: "object",
          properties: {
            a: { description: text, ...STRING },
            b: { description: text, oneOf: [{ description: text, const: "x", ...STRING }] },
            c: {
              anyOf: [
                { description: text, type: "object", properties: { d: STRING }, required: ["d"] },
                { description: text, type: "array", items: STRING },
              ],
            },
          },
        },
      },
      methods: [method(own, { description: text, ...(text.length <= 100 && { summary: text }) })],
    }),
    pointer: /\/(description|summary)$/,
  },
  {
    name: "title",
    make: (text, own) => ({
      definitions: {
        [own]: {
          type: "object",
          properties: {
            a: { oneOf: [{ title: text, const: 1, type: "integer" }] },
            b: {
              anyOf: [
                { const: "x", ...STRING },
                { title: text, ...STRING },
              ],
            },
            c: {
              anyOf: [
                { title: text, type: "object", properties: { d: STRING }, required: ["d"] },
                { title: text, type: "array", items: STRING },
              ],
            },
          },
        },
      },
      methods: [method(own, { examples: [{ title: text, params: {}, result: {} }] })],
    }),
    pointer: /\/title$/,
  },
  {
    name: "$comment",
    make: one((text) => ({
      $comment: text,
      type: "object",
      properties: { a: { $comment: text } },
    })),
    pointer: /\/\$comment$/,
  },
  {
    name: "property",
    make: one((text) => ({
      type: "object",
      properties: keyed(text, { ...STRING, default: "x" }),
    })),
    pointer: inside("/properties"),
  },
  {
    name: "definition name",
    make: (text, own) => ({
      definitions: {
        ...(keyed(text, { type: "object", properties: { a: STRING } }) as object),
        [own]: { type: "object", properties: { a: { $ref: `#/$defs/${text}` } } },
      },
    }),
    pointer: /^\/\$defs/,
  },
  {
    name: "enum",
    make: one((text) => ({ ...STRING, enum: [...new Set([text, "other"])] })),
    pointer: inside("/enum"),
  },
  {
    name: "const",
    make: one((text) => ({
      type: "object",
      properties: {
        a: { const: text, ...STRING },
        b: {
          oneOf: ["other", text].map((tag) => ({
            type: "object",
            properties: { kind: { const: tag, ...STRING }, d: STRING },
            required: ["kind"],
          })),
          discriminator: { propertyName: "kind" },
        },
      },
    })),
    pointer: /\/const$/,
  },
  {
    name: "default",
    make: one((text) => ({
      type: "object",
      properties: {
        a: { ...STRING, default: text },
        b: { type: "object", additionalProperties: true, default: keyed(text, text) },
        c: { type: "array", items: STRING, default: [text] },
      },
    })),
    pointer: /\/default$/,
  },
  {
    name: "examples",
    make: (text, own) => ({
      definitions: {
        [own]: {
          type: "object",
          properties: { a: STRING, b: { type: "object", additionalProperties: true } },
          examples: [{ a: text, b: keyed(text, [text]) }, text],
        },
      },
      methods: [
        method(own, {
          examples: [{ title: "x", params: { a: text }, result: { b: keyed(text, text) } }],
        }),
      ],
    }),
    pointer: /\/examples/,
  },
  {
    name: "required",
    make: one((text) => ({
      type: "object",
      properties: keyed(text, STRING),
      required: [text],
    })),
    pointer: inside("/(required|properties)"),
  },
  {
    name: "pattern",
    make: one((text) => ({ ...STRING, pattern: text })),
    pointer: /\/pattern$/,
  },
  {
    name: "method name",
    make: (text, own) => ({
      definitions: { [own]: { type: "object", properties: { a: STRING } } },
      methods: [method(own, { name: text })],
    }),
    pointer: /^\/methods\/0(\/name)?$/,
  },
];
