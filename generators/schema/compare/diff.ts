import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../json-schema/keywords.js";
import type { Definitions } from "../json-schema/references.js";
import { jsonPointer, parsePointer } from "../problem.js";
import { hasConstant, variantName } from "../json-schema/variants.js";

/** One structural difference between two schemas. */
export interface Difference {
  /** JSON pointer; variants are named by their tag or title. */
  readonly pointer: string;
  readonly kind: "added" | "removed" | "changed" | "renamed";
  readonly before?: Json;
  readonly after?: Json;
}

/**
 * Compares two published schemas by structure: definitions, properties,
 * required sets, constraints, unions, defaults and flags. Text, key order and
 * the order of `required`, `enum` and `not` lists do not count; the order of
 * the variants that both have and the titles of variants without a tag do,
 * because an `anyOf` is read as "first match" and those titles carry meaning.
 *
 * @returns the differences sorted by location; empty when the schemas are equivalent
 */
export function diffSchemas(before: JsonSchema, after: JsonSchema): Difference[] {
  const differences: Difference[] = [];
  compare(normalize(before, false), normalize(after, false), [], differences);
  return differences.sort((a, b) => (a.pointer < b.pointer ? -1 : a.pointer > b.pointer ? 1 : 0));
}

/** Returns a definition as text, equal for equivalent definitions. */
export function normalText(schema: JsonSchema): string {
  return canonicalJson(normalDefinition(schema));
}

const normal = new WeakMap<JsonSchema, Json>();

/** Reduces a definition to what counts, once: a site compares each profile with all others. */
function normalDefinition(schema: JsonSchema): Json {
  const known = normal.get(schema) ?? normalize(schema, false);
  normal.set(schema, known);
  return known;
}

/** Reduces a schema to what counts in a comparison. */
function normalize(schema: JsonSchema, inUnion: boolean): Json {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    switch (keyword) {
      case "$defs":
        return [[keyword, mapValues(value as Definitions, normalDefinition)]];
      case "properties":
        return [[keyword, mapValues(value as Definitions, (child) => normalize(child, false))]];
      case "required":
      case "enum":
        return [[keyword, sorted(value as readonly Json[])]];
      case "not":
        return [[keyword, normalizeNot(value as JsonSchema)]];
      case "anyOf":
      case "oneOf":
        return [[keyword, byName(value as readonly JsonSchema[])]];
      case "allOf":
        return [
          [keyword, (value as readonly JsonSchema[]).map((child) => normalize(child, false))],
        ];
      case "items":
      case "additionalProperties":
      case "propertyNames":
      case "unevaluatedProperties":
        return [
          [keyword, isObject(value) ? normalize(value as JsonSchema, false) : (value as Json)],
        ];
      case "title":
        return inUnion && !hasConstant(schema) ? [[keyword, value as Json]] : [];
      default:
        return counts(keyword) ? [[keyword, value as Json]] : [];
    }
  });
  return Object.fromEntries(entries);
}

function counts(keyword: string): boolean {
  if (keyword === "x-docs-ignore" || keyword === "$schema") return false;
  const role = KEYWORDS[keyword] ?? DERIVED_KEYWORDS[keyword];
  return role !== "text" && role !== "source";
}

/** Returns variants by name and their order separately, so that one insertion is one difference. */
function byName(variants: readonly JsonSchema[]): Json {
  const named = [...namedVariants(variants)];
  return {
    order: named.map(([name]) => name),
    variants: Object.fromEntries(named.map(([name, variant]) => [name, normalize(variant, true)])),
  };
}

/** Returns variants by the names in pointers of differences: all by name, else all by position. */
export function namedVariants(variants: readonly JsonSchema[]): ReadonlyMap<string, JsonSchema> {
  const named = variants.map((variant, index) => [variantName(variant) || String(index), variant]);
  const unique = new Map(named as [string, JsonSchema][]);
  if (unique.size === variants.length) return unique;
  return new Map(variants.map((variant, index) => [String(index), variant]));
}

/** Returns the path of a difference in the schema that was compared, with variants by their index. */
export function pathOfDifference({ pointer }: Difference, schema: JsonSchema): (string | number)[] {
  const path: (string | number)[] = [];
  const tokens = parsePointer(pointer);
  let part: unknown = schema;
  while (tokens.length > 0) {
    const token = tokens.shift()!;
    if (Array.isArray(part)) {
      const names = [...namedVariants(part as readonly JsonSchema[]).keys()];
      const index = token === "variants" ? names.indexOf(tokens.shift() ?? "") : -1;
      if (index < 0) break;
      path.push(index);
      part = part[index];
    } else {
      path.push(token);
      part = part === undefined ? undefined : (part as JsonObject)[token];
    }
  }
  return path;
}

function normalizeNot(schema: JsonSchema): Json {
  const { anyOf, ...rest } = schema;
  const normalized = normalize(rest, false) as { [keyword: string]: Json };
  if (anyOf === undefined) return normalized;
  return { ...normalized, anyOf: sorted(anyOf.map((part) => normalize(part, false))) };
}

function compare(
  before: Json | undefined,
  after: Json | undefined,
  path: readonly string[],
  out: Difference[],
): void {
  if (before === after) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (key === "order" && isUnion(path) && hasSameOrder(before, after)) continue;
      compare(own(before, key), own(after, key), [...path, key], out);
    }
    return;
  }
  const pointer = jsonPointer(path);
  if (before === undefined) out.push({ pointer, kind: "added", after: after! });
  else if (after === undefined) out.push({ pointer, kind: "removed", before });
  else if (canonicalJson(before) !== canonicalJson(after))
    out.push({ pointer, kind: "changed", before, after });
}

function isUnion(path: readonly string[]): boolean {
  return path.at(-1) === "oneOf" || path.at(-1) === "anyOf";
}

/** Checks that the common variants have the same order: additions and removals are reported separately. */
function hasSameOrder(before: JsonObject, after: JsonObject): boolean {
  const [a, b] = [before["order"], after["order"]];
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const shared = (names: readonly Json[], others: readonly Json[]): Json =>
    names.filter((name) => others.includes(name));
  return canonicalJson(shared(a, b)) === canonicalJson(shared(b, a));
}

function own(object: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function sorted(values: readonly Json[]): Json {
  return [...values].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
}

function mapValues<T>(object: { readonly [key: string]: T }, change: (value: T) => Json): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
