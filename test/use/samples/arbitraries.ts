import fc, { type Arbitrary } from "fast-check";
import {
  isObject,
  type Json,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import { KEYS, NUMBERS, STRINGS } from "./make-value.js";

/** Below this depth, only what is required is made. */
const MAX_DEPTH = 4;

/**
 * Makes, for every definition of a bundle, an arbitrary of values that fit it
 * most of the time: `not` and overlaps between parts are left to a filter.
 *
 * @param hasExtra whether objects now and then have properties that they do not describe
 */
export function arbitrariesOf(
  bundle: JsonSchema,
  hasExtra = true,
): (definition: string) => Arbitrary<Json> {
  const made = new Map<string, Arbitrary<Json>>();

  function definition(name: string, depth: number): Arbitrary<Json> {
    const key = `${name} ${depth}`;
    const known = made.get(key) ?? arbitrary(bundle.$defs![name]!, depth);
    made.set(key, known);
    return known;
  }

  function arbitrary(schema: JsonSchema, depth: number): Arbitrary<Json> {
    if (schema.$ref !== undefined)
      return definition(schema.$ref.slice("#/$defs/".length), depth + 1);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    const inherited = (schema.allOf ?? []).map((part) => arbitrary(part, depth));
    const variants = (schema.anyOf ?? schema.oneOf)?.map((part) => arbitrary(part, depth));
    if (inherited.length === 0 && variants === undefined) return typed(schema, depth);
    const parts = [
      ...inherited,
      ...(schema.properties === undefined ? [] : [typed(schema, depth)]),
      // Last, because a variant's tag is what makes the rest of it fit.
      ...(variants === undefined ? [] : [fc.oneof(...variants)]),
    ];
    return fc.tuple(...parts).map(merge);
  }

  function typed(schema: JsonSchema, depth: number): Arbitrary<Json> {
    const types = typeof schema.type === "object" ? schema.type : [schema.type];
    return fc.oneof(...types.map((type) => ofType(type, schema, depth)));
  }

  function ofType(type: string | undefined, schema: JsonSchema, depth: number): Arbitrary<Json> {
    switch (type) {
      case "null":
        return fc.constant(null);
      case "boolean":
        return fc.boolean();
      case "string":
        return schema.pattern === undefined
          ? text(schema.minLength ?? 0)
          : fc.stringMatching(new RegExp(schema.pattern, "u"));
      case "integer":
        return number(schema).filter(Number.isInteger);
      case "number":
        return number(schema);
      case "array":
        return fc.array(arbitrary(schema.items ?? {}, depth), {
          minLength: schema.minItems ?? 0,
          maxLength: (schema.minItems ?? 0) + (depth > MAX_DEPTH ? 0 : 3),
        });
      case "object":
        return objectOf(schema, depth);
      default:
        return schema.properties === undefined ? any : objectOf(schema, depth);
    }
  }

  function objectOf(schema: JsonSchema, depth: number): Arbitrary<Json> {
    const { properties = {}, required = [], additionalProperties: values } = schema;
    const names = Object.keys(properties).filter(
      (name) => depth <= MAX_DEPTH || required.includes(name),
    );
    const model = Object.fromEntries(
      names.map((name) => [name, arbitrary(properties[name]!, depth)]),
    );
    const known = fc.record(model, {
      requiredKeys: names.filter((name) => required.includes(name)),
      noNullPrototype: true,
    });
    const isMap = schema.properties === undefined && values !== undefined;
    if (!isMap && !hasExtra) return known;
    const extra = entries(typeof values === "object" ? arbitrary(values, depth) : any);
    // Known properties win.
    return fc.tuple(isMap ? extra : rarely(extra), known).map(merge);
  }

  return (name) => definition(name, 0);
}

function text(minLength: number): Arbitrary<string> {
  const odd = STRINGS.filter(({ length }) => length >= minLength);
  return fc.oneof(
    fc.constantFrom(...odd),
    fc.string({ unit: "binary", minLength, maxLength: minLength + 10 }),
  );
}

function number({ minimum: min = -1e18, maximum: max = 1e18 }: JsonSchema): Arbitrary<number> {
  const atBounds = [...NUMBERS.filter((number) => number >= min && number <= max), min, max];
  return fc.oneof(
    fc.constantFrom(...atBounds),
    fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) }),
    fc.double({ min, max, noNaN: true }),
  );
}

/** Any JSON value, small. */
const { any } = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    fc.constant(null),
    fc.boolean(),
    number({}),
    text(0),
    fc.array(tie("any"), { maxLength: 2 }),
    entries(tie("any")),
  ),
}));

/** An object with odd names; `fromEntries`, because an assigned `__proto__` would be a prototype. */
function entries(value: Arbitrary<Json>): Arbitrary<Json> {
  const key = fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 5 }));
  return fc.array(fc.tuple(key, value), { maxLength: 2 }).map((all) => Object.fromEntries(all));
}

function rarely(object: Arbitrary<Json>): Arbitrary<Json> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: object });
}

/** Objects become one, later properties winning; of anything else the first counts. */
function merge(parts: readonly Json[]): Json {
  const other = parts.find((part) => !isObject(part));
  if (other !== undefined) return other;
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part as object)));
}
