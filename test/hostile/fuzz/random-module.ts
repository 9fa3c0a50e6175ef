import fc from "fast-check";
import type { Json, JsonObject } from "../../../generators/schema/json-schema/json.js";

/** Definitions that random modules have, so that references mostly lead somewhere. */
const NAMES = ["Thing", "Other", "Error", "String"] as const;

const KEYS = ["a", "b", "kind", "type", "name", "odd-key", "constructor", "__proto__", "2"];
const TEXTS = ["x", "a longer text", "*/ `${x}`", "\u2028", "😀"];

const text = fc.constantFrom(...TEXTS);
const key = fc.constantFrom(...KEYS);
const count = fc.nat({ max: 3 });
const value: fc.Arbitrary<Json> = fc.oneof(
  text,
  fc.integer({ min: -3, max: 300 }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom<Json>([], {}, ["x"], { a: "x" }, [{ kind: "x" }], 1e21, -0, 0.5),
);
const prose = fc.record(
  { description: text, $comment: text, examples: fc.array(value, { maxLength: 2 }) },
  { requiredKeys: [] },
);
const flags = fc.record(
  {
    default: value,
    "x-deserialize-default-on-error": fc.constant(true),
    "x-deserialize-default-on-null": fc.constant(true),
    "x-deserialize-skip-invalid-items": fc.constant(true),
  },
  { requiredKeys: [] },
);

/** Puts objects together; a key that several have is the last one's. */
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects) as JsonObject);

const sometimes = (part: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: part });

const reference = fc.constantFrom(...NAMES).map((name) => ({ $ref: `#/$defs/${name}` }));
/** A definition that others extend has only simple properties, mostly. */
const extended = fc.oneof(
  { weight: 15, arbitrary: fc.constant({ $ref: "#/$defs/Base" }) },
  { weight: 1, arbitrary: reference },
);
const constant = fc.constantFrom<Json>("x", "y", "z", "*/", 1, 2, -1);

/** Values of one type. */
const values = fc.oneof(
  fc.uniqueArray(fc.constantFrom<Json>("x", "y", "z", "*/", "\u2028"), {
    minLength: 1,
    maxLength: 3,
  }),
  fc.uniqueArray(fc.constantFrom<Json>(1, 2, -1, 0), { minLength: 1, maxLength: 3 }),
);

const scalar = fc.oneof(
  fc.record(
    {
      type: fc.constant("string"),
      minLength: count,
      maxLength: fc.integer({ min: 0, max: 9 }),
      pattern: fc.constantFrom("^x", "^[a-z]+$", "", "\\p{L}", "^[ab]$", "^.?$", "x{2}", "[^*]/"),
      format: fc.constantFrom("uri", "date-time", "regex"),
      contentEncoding: fc.constant("base64"),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("integer", "number"),
      minimum: fc.integer({ min: -9, max: 9 }),
      maximum: fc.integer({ min: -9, max: 99 }),
      format: fc.constantFrom("int32", "uint64", "double"),
    },
    { requiredKeys: ["type"] },
  ),
  fc.constantFrom({ type: "boolean" }, { type: "null" }, {}),
  values.map((all) => ({ enum: all })),
  constant.map((only) => ({ const: only })),
);

/** Places may be null, in one of two ways. */
const orNull = (part: fc.Arbitrary<JsonObject>): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 4, arbitrary: part },
    {
      weight: 1,
      arbitrary: fc.constantFrom("string", "integer").map((type) => ({ type: [type, "null"] })),
    },
    { weight: 1, arbitrary: part.map((one) => ({ anyOf: [one, { type: "null" }] })) },
  );

const listOf = (items: fc.Arbitrary<JsonObject>): fc.Arbitrary<object> =>
  fc.record(
    { type: fc.constant("array"), items, minItems: count, maxItems: count },
    { requiredKeys: ["type", "items"] },
  );

const { schema, object, union } = fc.letrec<{
  schema: JsonObject;
  object: JsonObject;
  union: object;
}>((tie) => {
  const properties = fc.dictionary(key, merged(orNull(tie("schema")), sometimes(flags)), {
    minKeys: 1,
    maxKeys: 4,
  });
  return {
    schema: merged(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        scalar,
        reference,
        tie("object"),
        tie("union"),
        tie("schema").map((values) => ({ type: "object", additionalProperties: values })),
        listOf(tie("schema")),
      ),
      prose,
    ),
    object: properties.chain((all) => {
      const parts = {
        type: fc.constant("object"),
        properties: fc.constant(all),
        required: fc.subarray(Object.keys(all), { minLength: 1 }),
        additionalProperties: fc.constant(true),
        "x-meta": fc.constant(true),
      };
      return fc.record(parts, { requiredKeys: ["type", "properties"] });
    }) as fc.Arbitrary<JsonObject>,
    union: fc
      .tuple(
        fc.constantFrom("anyOf", "anyOf", "oneOf"),
        fc.oneof(
          fc.array(
            merged(
              fc.oneof(scalar, tie("object"), listOf(tie("schema"))),
              sometimes(text.map((title) => ({ title }))),
            ),
            { minLength: 2, maxLength: 3 },
          ),
          fc
            .uniqueArray(fc.constantFrom("x", "y", "*/"), { minLength: 1 })
            .chain((tags) => fc.tuple(...tags.map((tag) => variant(tag, tie("object"))))),
          values.map((all) => [
            ...all.map((one) => ({
              const: one,
              type: typeof one === "string" ? "string" : "integer",
            })),
            { title: "other", type: typeof all[0] === "string" ? "string" : "integer" },
          ]),
        ),
        fc.constantFrom({}, {}, { discriminator: { propertyName: "kind" } }),
      )
      .map(([keyword, variants, rest]) => ({ [keyword]: variants, ...rest })),
  };
});

function variant(tag: string, body: fc.Arbitrary<JsonObject>): fc.Arbitrary<object> {
  const kind = { type: "string", const: tag };
  return fc.oneof(
    fc.constant({ type: "object", properties: { kind }, required: ["kind"] }),
    extended.map((other) => ({
      type: "object",
      properties: { kind },
      required: ["kind"],
      allOf: [other],
    })),
    body.map((object) => ({
      ...object,
      properties: { ...(object["properties"] as object), kind },
      required: ["kind"],
    })),
  );
}

const base = fc
  .dictionary(key, merged(scalar, sometimes(flags)), { minKeys: 1, maxKeys: 2 })
  .map((properties): JsonObject => ({ type: "object", properties }));

/** Now and then something that stands where it should not. */
const blunder = fc.record(
  {
    keyword: fc.constantFrom(
      "minItems",
      "items",
      "required",
      "not",
      "$id",
      "tsType",
      "x-gate",
      "type",
    ),
    wrong: fc.oneof(value, fc.constant<Json>({ agent: "nowhere" }), fc.constant<Json>(["a", "b"])),
  },
  { requiredKeys: ["keyword", "wrong"] },
);

const seldom = <T>(part: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 60, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: part });

const definition = fc
  .tuple(fc.oneof(merged(object, prose), merged(union, prose), schema), seldom(blunder))
  .map(([sound, wrong]): JsonObject =>
    wrong === null ? sound : { ...sound, [wrong.keyword]: wrong.wrong },
  );

const name = fc.constantFrom(...NAMES);
const method = fc.record({
  name: fc.constantFrom(
    "a/b",
    "note/save",
    "_x",
    "set_mode",
    "$/c",
    "initialize",
    "session/update",
  ),
  side: fc.constantFrom("agent", "client", "protocol"),
  kind: fc.constantFrom("request", "notification"),
  params: name,
  result: name,
  gate: fc.constantFrom<Json>({ always: "baseline" }, { always: "optional" }, { session: "a.b" }),
  summary: fc.constantFrom("x", "*/"),
  description: text,
  examples: fc.array(fc.record({ title: text, params: value }), { minLength: 1, maxLength: 2 }),
});

/** A module over the accepted keywords, sound more often than not. */
export const randomModule: fc.Arbitrary<JsonObject> = fc.record({
  $schema: fc.constant("module.schema.json"),
  title: fc.constant("Random"),
  description: fc.constant("Random."),
  $defs: fc
    .tuple(base, ...NAMES.map(() => definition))
    .map((all) => Object.fromEntries(all.map((one, index) => [["Base", ...NAMES][index]!, one]))),
  methods: fc
    .array(method, { maxLength: 3 })
    .map((all) =>
      all.map(({ result, ...rest }) => (rest.kind === "request" ? { ...rest, result } : rest)),
    ),
}) as unknown as fc.Arbitrary<JsonObject>;
