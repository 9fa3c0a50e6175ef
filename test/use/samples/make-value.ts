import {
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import { textOfPattern } from "../../../generators/model/sample/pattern.js";
import type { Random } from "./random.js";

/** Strings with something odd about each. */
export const STRINGS = [
  "",
  "a",
  "text",
  "file:///tmp/a b",
  "ünïcödé",
  "😀",
  "\ud800",
  "\u0000",
  "a\nb",
  "__proto__",
  "constructor",
  "_custom",
  "null",
  "0",
  "x".repeat(300),
] as const;

/** Numbers around the bounds that schemas and machines have. */
export const NUMBERS = [
  0,
  -0,
  1,
  -1,
  2,
  0.5,
  -1.5,
  65535,
  65536,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e308,
  5e-324,
] as const;

/** Keys that no definition has, some of which every JavaScript object answers to. */
export const KEYS = [
  "extra",
  "toString",
  "constructor",
  "__proto__",
  "",
  "a/b~c",
  "length",
] as const;

/** Below this depth, only what is required is made. */
const DEEP = 5;

/**
 * Makes a value that fits a definition, most of the time: `not` and overlaps
 * between parts of a schema are left to chance.
 */
export function makeValue(definition: string, bundle: JsonSchema, random: Random): Json {
  return make({ $ref: `#/$defs/${definition}` }, { bundle, random, depth: 0 });
}

/** Any JSON value, small. */
export function makeAny(random: Random, depth = 0): Json {
  switch (random.below(depth > 2 ? 4 : 6)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick(NUMBERS);
    case 3:
      return random.pick(STRINGS);
    case 4:
      return Array.from({ length: random.below(3) }, () => makeAny(random, depth + 1));
    default:
      return withExtra({}, random, () => makeAny(random, depth + 1));
  }
}

interface Context {
  readonly bundle: JsonSchema;
  readonly random: Random;
  readonly depth: number;
}

function make(schema: JsonSchema, context: Context): Json {
  const { bundle, random } = context;
  if (schema.$ref !== undefined) {
    const target = bundle.$defs![schema.$ref.slice("#/$defs/".length)]!;
    return make(target, { ...context, depth: context.depth + 1 });
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  const parts = [
    ...(schema.allOf ?? []),
    ...(alternatives === undefined ? [] : [random.pick(alternatives)]),
  ].map((part) => make(part, context));
  if (parts.some((part) => !isObject(part))) return parts[0]!;
  if (parts.length > 0 && schema.properties === undefined) return merge(parts);
  return merge([...parts, makeTyped(schema, context)]);
}

/** Objects become one, later properties winning; anything else comes last and wins whole. */
function merge(parts: readonly Json[]): Json {
  const last = parts.at(-1)!;
  if (!parts.every(isObject)) return last;
  // Not `Object.assign`: it would take a key `__proto__` for the prototype.
  return Object.fromEntries(parts.flatMap((part) => Object.entries(part)));
}

function makeTyped(schema: JsonSchema, context: Context): Json {
  const { random } = context;
  const type = typeof schema.type === "object" ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "string":
      return random.pick(texts(schema));
    case "integer":
      return random.pick(numbers(schema).filter(Number.isInteger));
    case "number":
      return random.pick(numbers(schema));
    case "array":
      return Array.from({ length: random.below(context.depth > DEEP ? 1 : 4) }, () =>
        make(schema.items ?? {}, context),
      );
    case "object":
      return makeObject(schema, context);
    default:
      return schema.properties === undefined ? makeAny(random) : makeObject(schema, context);
  }
}

function texts({ minLength = 0, pattern }: JsonSchema): readonly string[] {
  const long = STRINGS.filter(({ length }) => length >= minLength);
  if (pattern === undefined) return long;
  const allowed = new RegExp(pattern, "u");
  return [...long, textOfPattern(pattern, minLength) ?? ""].filter((text) => allowed.test(text));
}

function numbers({ minimum = -Infinity, maximum = Infinity }: JsonSchema): number[] {
  const inside = NUMBERS.filter((number) => number >= minimum && number <= maximum);
  return [...inside, ...[minimum, maximum].filter(Number.isFinite)];
}

function makeObject(schema: JsonSchema, context: Context): JsonObject {
  const { random, depth } = context;
  const entries = Object.entries(schema.properties ?? {})
    .filter(([name]) => schema.required?.includes(name) || random.chance(depth > DEEP ? 0.1 : 0.5))
    .map(([name, property]): [string, Json] => [name, make(property, context)]);
  const values = schema.additionalProperties;
  const made = Object.fromEntries(entries);
  if (typeof values === "object") return withExtra(made, random, () => make(values, context));
  return random.chance(0.2) ? withExtra(made, random, () => makeAny(random)) : made;
}

function withExtra(object: JsonObject, random: Random, value: () => Json): JsonObject {
  const extra = Array.from({ length: random.below(3) }, (): [string, Json] => [
    random.pick(KEYS),
    value(),
  ]);
  return Object.fromEntries([...extra, ...Object.entries(object)]);
}
