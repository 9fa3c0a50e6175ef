import type { JsonObject } from "../../generators/schema/json-schema/json.js";

/** A document that is small or simple, and would be huge or endless if it were taken at its word. */
export interface OversizedInput {
  readonly name: string;
  /** A schema of its own when absent. */
  readonly kind?: "feature";
  readonly text: () => string;
  /** The message of the refusal; absent when the output is complete. */
  readonly refusal?: string;
}

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const schema = ($defs: object): string => JSON.stringify({ $defs });

/** A chain of definitions, each made of the reference to the next one. */
function chain(length: number, link: (next: JsonObject) => object, end: object): object {
  const last = length - 1;
  return Object.fromEntries(
    list(length, (index) => [
      `Large${index}`,
      index === last ? end : link({ $ref: `#/$defs/Large${index + 1}` }),
    ]),
  );
}

const LEVELS = 31;
const STRING = { type: "string" };
const nested = (depth: number): string =>
  `{"$defs":{"Large":${'{"type":"array","items":'.repeat(depth)}{"type":"string"}${"}".repeat(depth)}}}`;

const twice = (next: JsonObject): object => ({
  type: "object",
  properties: { a: next, b: next },
  required: ["a", "b"],
});

function feature(definitions: object): string {
  return JSON.stringify({
    $schema: "feature.schema.json",
    name: "large",
    protocol: "v1",
    title: "Large",
    description: "Large.",
    status: "proposed",
    methods: [
      {
        name: "large/go",
        side: "agent",
        kind: "request",
        params: "Large0",
        result: "Large0",
        gate: { always: "optional" },
        summary: "Goes off.",
        description: "Goes off.",
        examples: [{ title: "Any", params: {}, result: {} }],
      },
    ],
    $defs: definitions,
  });
}

const described = (parts: object): object => ({ description: "x", ...parts });

/** Forms in which a definition may hold the next one twice. */
const LINKS: { readonly [name: string]: (next: JsonObject) => object } = {
  "a list or a map": (next) =>
    described({
      anyOf: [
        { type: "array", items: next },
        { type: "object", additionalProperties: next },
      ],
    }),
  "two optional properties": (next) => {
    const part = described(next);
    return described({ type: "object", properties: { a: part, b: part } });
  },
  "two lists that must have items": (next) => {
    const part = described({ type: "array", items: next, minItems: 1 });
    const properties = { a: part, b: part };
    return described({ type: "object", properties, required: ["a", "b"] });
  },
  "a union with a tag": (next) =>
    described({
      discriminator: { propertyName: "kind" },
      oneOf: ["x", "y"].map((tag) => ({
        type: "object",
        properties: { kind: { const: tag, ...STRING }, a: described(next) },
        required: ["kind", "a"],
      })),
    }),
  "a union of objects": (next) =>
    described({
      anyOf: ["x", "y"].map((name) => ({
        type: "object",
        properties: { [name]: described(next) },
        required: [name],
      })),
    }),
};

export const OVERSIZED: readonly OversizedInput[] = [
  { name: "60 levels", text: () => nested(58) },
  ...[65, 1_000, 100_000].map((depth): OversizedInput => ({
    name: `${depth} levels`,
    text: () => nested(depth),
    refusal: depth < 90_000 ? "is nested deeper than 64 levels" : "has more than 200000 values",
  })),
  {
    name: "10,000,000 values",
    text: () => `{"$defs":{"Large":{"examples":[${"1,".repeat(9_999_999)}1]}}}`,
    refusal: "is larger than 16 MB",
  },
  {
    name: "7,000,000 values in 15 MB",
    text: () => `{"$defs":{"Large":{"examples":[${"1,".repeat(6_999_999)}1]}}}`,
    refusal: "has more than 200000 values",
  },
  {
    name: "a file of 64 MB",
    text: () => `{"$defs":{"Large":{"description":"${"x".repeat(64 * 1024 * 1024)}"}}}`,
    refusal: "is larger than 16 MB",
  },
  {
    name: "a text of 15 MB",
    text: () => schema({ Large: { description: "xy ".repeat(5_000_000) } }),
    refusal: "has a text of more than 20000 characters",
  },
  {
    name: "an enumeration of 50,000",
    text: () => schema({ Large: { ...STRING, enum: list(50_000, (index) => `v${index}`) } }),
    refusal: "has more than 6000 entries",
  },
  {
    name: "50,000 unknown keywords",
    text: () => schema({ Large: Object.fromEntries(list(50_000, (index) => [`k${index}`, 1])) }),
    refusal: "has more than 6000 entries",
  },
  {
    name: "an enumeration of 3,000",
    text: () => schema({ Large: { ...STRING, enum: list(3_000, (index) => `v${index}`) } }),
  },
  {
    name: "a list of at least 1,000,000,000",
    text: () =>
      schema({
        Large: { type: "array", minItems: 1e9, items: STRING },
        Other: {
          type: "object",
          properties: { a: { ...STRING, minLength: 1e9 }, b: { $ref: "#/$defs/Large" } },
          required: ["a", "b"],
        },
      }),
  },
  {
    name: "30 levels of two properties",
    text: () => schema(chain(LEVELS, twice, STRING)),
  },
  {
    name: "30 levels of two lists of at least two",
    text: () =>
      schema(chain(LEVELS, (next) => twice({ type: "array", minItems: 2, items: next }), STRING)),
  },
  {
    // One object after the other is combined with itself.
    name: "30 levels of two in allOf",
    text: () => schema(chain(LEVELS, (next) => ({ allOf: [next, next] }), { type: "object" })),
  },
  ...(["anyOf", "oneOf"] as const).map((keyword): OversizedInput => ({
    name: `30 levels of two in ${keyword}`,
    text: () => schema(chain(LEVELS, (next) => ({ [keyword]: [next, next] }), { type: "object" })),
    refusal: "expands to more than 10000 alternatives",
  })),
  {
    name: "30 levels of a union of two objects that hold the next",
    text: () =>
      schema(
        chain(
          LEVELS,
          (a) => ({
            oneOf: [
              { type: "object", properties: { a }, required: ["a"] },
              { type: "object", properties: { a, b: STRING }, required: ["a"] },
            ],
          }),
          STRING,
        ),
      ),
  },
  {
    name: "30 levels of such a union, with an example that does not fit",
    text: () =>
      schema({
        Example: {
          type: "object",
          properties: { part: { $ref: "#/$defs/Large0" } },
          required: ["part"],
          examples: [{ part: list(LEVELS - 1, () => 0).reduce<unknown>((a) => ({ a }), 5) }],
        },
        ...chain(
          LEVELS,
          (a) => ({
            anyOf: [
              { type: "object", properties: { a }, required: ["a"] },
              { type: "object", properties: { a, b: STRING }, required: ["a"] },
            ],
          }),
          STRING,
        ),
      }),
  },
  {
    name: "30 levels of two defaults to complete",
    kind: "feature",
    text: () =>
      feature(
        chain(
          LEVELS,
          (next) => {
            const part = described({ ...next, default: {} });
            return described({ type: "object", properties: { a: part, b: part } });
          },
          described({ type: "object", properties: { x: described({ ...STRING, default: "x" }) } }),
        ),
      ),
    refusal: "the default would be completed with more than 1000 values",
  },
  {
    name: "30 levels of two ways to a gate",
    kind: "feature",
    text: () =>
      feature(
        chain(
          LEVELS,
          (next) => {
            const part = described({ ...next });
            return described({ type: "object", properties: { a: part, b: part } });
          },
          described({
            type: "object",
            properties: {
              x: described({ ...STRING, "x-gate": { agent: "agentCapabilities.loadSession" } }),
            },
          }),
        ),
      ),
    refusal: "leads to gates in more ways than can be listed",
  },
  ...Object.entries(LINKS).map(([name, link]): OversizedInput => ({
    name: `30 levels of ${name}, in a method`,
    kind: "feature",
    text: () => {
      const definitions = chain(LEVELS, link, described(STRING)) as { Large0: object };
      const first = { type: "object", properties: { part: described(definitions.Large0) } };
      return feature({ ...definitions, Large0: described(first) });
    },
  })),
  {
    name: "a chain of 1,000",
    text: () =>
      schema(chain(1_000, (a) => ({ type: "object", properties: { a }, required: ["a"] }), STRING)),
  },
  {
    name: "a tree that holds itself",
    text: () =>
      schema({
        Large: {
          anyOf: [{ type: "object", properties: { a: { $ref: "#/$defs/Large" } } }, STRING],
        },
      }),
  },
];
