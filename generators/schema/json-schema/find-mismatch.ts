import { canonicalJson, isObject, type Json, type JsonSchema } from "./json.js";
import { findPatternProblem } from "./pattern/find-pattern-problem.js";
import { referencedSchema, type Definitions } from "./references.js";
import type { Path } from "./walk.js";

/** The longest chain of references and alternatives that is followed for one value. */
const LONGEST_CHAIN = 16;

/** The first part of a value that does not fit. */
export interface Mismatch {
  /** Leads from the value to the part. */
  readonly path: Path;
  readonly expected: string;
}

/**
 * Finds the first part of a value that a schema does not accept. A property with a default may be
 * absent, since a receiver completes it.
 *
 * @param definitions where references lead; one that leads nowhere accepts every value
 */
export function findMismatch(
  schema: JsonSchema | boolean,
  value: Json,
  definitions: Definitions,
  path: Path = [],
  depth = 0,
): Mismatch | undefined {
  if (schema === false) return { path, expected: "no value" };
  if (schema === true || depth > LONGEST_CHAIN) return undefined;
  const own = ownMismatch(schema, value);
  if (own !== undefined) return { path, expected: own };
  const inside = (part: JsonSchema | boolean): Mismatch | undefined =>
    findMismatch(part, value, definitions, path, depth + 1);
  const target = referencedSchema(schema, definitions);
  for (const part of [...(target === undefined ? [] : [target]), ...(schema.allOf ?? [])]) {
    const found = inside(part);
    if (found !== undefined) return found;
  }
  for (const variants of [schema.anyOf, schema.oneOf]) {
    const found = (variants ?? []).map(inside);
    if (found.length > 0 && !found.includes(undefined)) return together(found as Mismatch[], path);
  }
  const fitting = schema.oneOf?.filter((variant) => inside(variant) === undefined) ?? [];
  if (fitting.length > 1) return { path, expected: "what fits one alternative alone" };
  if (schema.not !== undefined && inside(schema.not) === undefined)
    return { path, expected: "a value that `not` does not exclude" };
  for (const [key, part, child] of partsOf(schema, value)) {
    const found = findMismatch(part, child, definitions, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Joins what alternatives expect; where one fits as far as a part of the value, that part counts. */
function together(found: readonly Mismatch[], path: Path): Mismatch {
  const deepest = found.find((one) => one.path.length > path.length);
  return deepest ?? { path, expected: found.map(({ expected }) => expected).join(" or ") };
}

/** Returns what a schema expects of a value itself, regardless of its items and properties. */
function ownMismatch(schema: JsonSchema, value: Json): string | undefined {
  const { type, enum: values, const: only } = schema;
  const types = typeof type === "string" ? [type] : type;
  if (types !== undefined && !types.some((one) => hasType(value, one))) return types.join(" or ");
  const listed = only === undefined ? values : [only];
  if (listed !== undefined && !listed.some((one) => canonicalJson(one) === canonicalJson(value)))
    return `one of ${listed.map((one) => JSON.stringify(one)).join(", ")}`;
  if (typeof value === "number") {
    const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
    if (above !== undefined && value <= above) return `a number greater than ${above}`;
    if (below !== undefined && value >= below) return `a number less than ${below}`;
    return outside(value, schema.minimum, schema.maximum, (limit) => `a number of ${limit}`);
  }
  if (typeof value === "string") {
    const { minLength, maxLength, pattern } = schema;
    if (pattern !== undefined && !matches(pattern, value)) return `text of the form ${pattern}`;
    return outside([...value].length, minLength, maxLength, (limit) => `${limit} characters`);
  }
  if (Array.isArray(value))
    return outside(value.length, schema.minItems, schema.maxItems, (limit) => `${limit} items`);
  if (!isObject(value)) return undefined;
  const absent = schema.required?.find(
    (name) => !Object.hasOwn(value, name) && schema.properties?.[name]?.default === undefined,
  );
  return absent === undefined ? undefined : `an object with the property "${absent}"`;
}

function outside(
  value: number,
  lower: number | undefined,
  upper: number | undefined,
  text: (limit: string) => string,
): string | undefined {
  if (lower !== undefined && value < lower) return text(`at least ${lower}`);
  return upper !== undefined && value > upper ? text(`at most ${upper}`) : undefined;
}

/** A pattern that is invalid or slow is reported where it stands. */
function matches(pattern: string, text: string): boolean {
  return findPatternProblem(pattern) !== undefined || new RegExp(pattern, "u").test(text);
}

/** Lists the items and properties of a value, each with the schema that it has to fit. */
function* partsOf(
  { items, properties = {}, patternProperties = {}, additionalProperties: rest }: JsonSchema,
  value: Json,
): Generator<readonly [key: string | number, part: JsonSchema | boolean, child: Json]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (items !== undefined) yield [index, items, item as Json];
  } else if (isObject(value)) {
    for (const [name, child] of Object.entries(value)) {
      const own = Object.hasOwn(properties, name) ? [properties[name]!] : [];
      const like = Object.keys(patternProperties).filter((pattern) => matches(pattern, name));
      const known = [...own, ...like.map((pattern) => patternProperties[pattern]!)];
      const rests = known.length === 0 && rest !== undefined ? [rest] : [];
      for (const part of [...known, ...rests]) yield [name, part, child];
    }
  }
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
