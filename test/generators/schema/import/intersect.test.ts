import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { intersect, NoIntersection } from "../../../../generators/schema/import/intersect.js";
import { normalizeImport } from "../../../../generators/schema/import/normalize-import.js";
import type { Json, JsonObject } from "../../../../generators/schema/json-schema/json.js";
import { IS_DEEP } from "../../../support/deep.js";

const runs = IS_DEEP ? 20_000 : 600;
const seed = Number(process.env["SEED"] ?? 20261124);

const $defs: JsonObject = {
  Text: { type: "string", minLength: 1 },
  Pair: { type: "object", properties: { a: { $ref: "#/$defs/Text" } }, required: ["a"] },
};
const texts = fc.constantFrom<JsonObject>(
  { type: "string", minLength: 2 },
  { type: "string", maxLength: 3 },
  { type: ["string", "null"] },
  { enum: ["a", "abc", 1] },
  { const: "abc", type: "string" },
  { $ref: "#/$defs/Text" },
  { allOf: [{ $ref: "#/$defs/Text" }] },
);
const others = fc.constantFrom<JsonObject>(
  {},
  { type: "null" },
  { type: "boolean" },
  { type: "integer", minimum: 1 },
  { type: "number", maximum: 1 },
  { type: ["integer", "string"], maxLength: 1 },
);
const leaf = fc.oneof({ weight: 3, arbitrary: texts }, others);
const property = fc.oneof(
  leaf,
  fc.array(leaf, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
);
const properties = fc.record({ a: property, b: property }, { requiredKeys: [] });
const lists = property.map((items): JsonObject => ({ type: "array", items, minItems: 1 }));
const objects = fc.oneof(
  property.map((rest): JsonObject => ({ type: "object", additionalProperties: rest })),
  properties.map((all): JsonObject => ({ type: "object", properties: all })),
  properties.map((all) => ({ type: "object", properties: all, required: Object.keys(all) })),
  fc.constantFrom<JsonObject>({ $ref: "#/$defs/Pair" }, { type: ["object", "null"] }),
);
const unions = fc.oneof(
  fc
    .array(fc.oneof(objects, lists, leaf), { minLength: 1, maxLength: 3 })
    .map((anyOf) => ({ anyOf })),
  fc.tuple(objects, leaf).map((oneOf) => ({ oneOf })),
);
/** Two schemas of one kind, which are likely to have common values. */
const pair = fc
  .constantFrom(leaf, property, lists, objects, objects, fc.oneof(unions, objects))
  .chain((kind): fc.Arbitrary<[JsonObject, JsonObject]> => fc.tuple(kind, kind));
const scalar = fc.constantFrom<Json>(null, true, "", "a", "abc", "abcd", 0, 1, 2, 0.5);
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ a: scalar, b: scalar, c: scalar }, { requiredKeys: [] }),
  fc.record({ a: fc.record({ a: scalar }), b: fc.array(scalar, { maxLength: 1 }) }),
);

test("an intersection accepts exactly the values that both schemas accept", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  const resolve = (name: string): JsonObject => $defs[name] as JsonObject;
  let count = 0;
  const rule = fc.property(
    pair,
    fc.array(value, { minLength: 20, maxLength: 20 }),
    ([a, b], values) => {
      let both: Json;
      try {
        both = intersect(a, b, resolve);
      } catch (error) {
        if (error instanceof NoIntersection) return;
        throw error;
      }
      const [one, other, result] = [a, b, both].map((part) =>
        ajv.compile(typeof part === "boolean" ? part : { ...(part as JsonObject), $defs }),
      );
      for (const item of values) {
        const isCommon = one!(item) && other!(item);
        if (isCommon) count++;
        expect(result!(item), JSON.stringify({ a, b, both, item })).toBe(isCommon);
      }
    },
  );
  fc.assert(rule, { seed, numRuns: runs });
  expect(count).toBeGreaterThan(runs / 2);
}, 300_000);

const tagged = fc.tuple(fc.constantFrom("x", "y"), property).map(([tag, a]): JsonObject => ({
  type: "object",
  properties: { tag: { enum: [tag] }, a },
  required: ["tag"],
}));
const written = fc.oneof(
  unions,
  fc.array(tagged, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
  fc
    .tuple(property, fc.constantFrom({ type: "null" }, { const: null }))
    .map((oneOf) => ({ oneOf })),
  fc.array(objects, { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf })),
  fc.tuple(objects, properties).map(([one, all]) => ({ allOf: [one], properties: all })),
  fc.array(leaf, { minLength: 2, maxLength: 3 }).map((allOf) => ({ allOf })),
);

test("a schema that is rewritten without a problem accepts the same values", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  const values = fc.array(
    fc.oneof(
      value,
      fc.record({ tag: fc.constantFrom("x", "y", 1), a: scalar }, { requiredKeys: [] }),
    ),
    { minLength: 20, maxLength: 20 },
  );
  let count = 0;
  const rule = fc.property(written, values, (it, items) => {
    const document: JsonObject = {
      $defs: { ...$defs, It: { type: "object", properties: { it } } },
    };
    let isRefused = false;
    const { document: normal } = normalizeImport(document, () => (isRefused = true));
    if (isRefused) return;
    count++;
    const [before, after] = [document, normal].map((one) =>
      ajv.compile({ $defs: one["$defs"], $ref: "#/$defs/It" }),
    );
    for (const item of items)
      expect(after!({ it: item }), JSON.stringify({ it, normal, item })).toBe(
        before!({ it: item }),
      );
  });
  fc.assert(rule, { seed, numRuns: runs });
  expect(count).toBeGreaterThan(runs / 3);
}, 300_000);
