import { normalText } from "../compare/diff.js";
import { findMismatch } from "../json-schema/find-mismatch.js";
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../json-schema/json.js";
import { findPatternProblem } from "../json-schema/pattern/find-pattern-problem.js";
import { isLike } from "./equivalent-keywords.js";
import { LIMITING_KEYWORDS, TYPE_OF } from "./limits.js";

/** Thrown for schemas of which no one schema has exactly the common values. */
export class NoIntersection extends Error {
  override readonly name = "NoIntersection";
  /** The names of the properties that lead to the place. */
  readonly path: readonly string[];

  constructor(reason: string, path: readonly string[] = []) {
    super(reason);
    this.path = path;
  }
}

/** Returns a definition without references to it; undefined where it is unknown or part of a circle. */
type Resolve = (name: string) => JsonObject | undefined;

/**
 * Returns a schema of exactly the values that two schemas accept; `false` when there is none.
 * Annotations are those of both, the later ones first.
 *
 * @throws NoIntersection when the keywords have no form for these values
 */
export function intersect(a: Json, b: Json, resolve: Resolve): Json {
  return new Intersection(resolve).of(a, b);
}

/** With more schemas in each other, definitions contain themselves in ways that no pair shows. */
const MOST_STEPS = 100;

class Intersection {
  readonly #resolve: Resolve;
  #depth = 0;
  /** Pairs of definitions that are being combined. */
  readonly #open = new Set<string>();

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  of(a: Json, b: Json): Json {
    if (this.#depth >= MOST_STEPS)
      throw new NoIntersection("they refer to definitions that contain themselves");
    this.#depth++;
    try {
      return this.#common(a, b);
    } finally {
      this.#depth--;
    }
  }

  #common(a: Json, b: Json): Json {
    if (!isObject(a) || !isObject(b))
      return a === false || b === false ? false : a === true ? b : a;
    const [one, other] = [limitsOf(a), limitsOf(b)];
    const isSame = normalText(one) === normalText(other);
    if (isSame || Object.keys(one).length === 0) return { ...a, ...b };
    if (Object.keys(other).length === 0) return { ...b, ...a, ...annotationsOf(b) };
    if (referenceIn(a) !== undefined || referenceIn(b) !== undefined) return this.#references(a, b);
    if (unionIn(b) !== undefined) return this.#union(b, a, { ...a, ...b });
    if (unionIn(a) !== undefined) return this.#union(a, b, { ...a, ...b });
    return this.#keywords(a, b);
  }

  /** Keeps a reference where its definition has no other values than the other schema. */
  #references(a: JsonObject, b: JsonObject): Json {
    const pair = [a, b].map((part) => referenceIn(part) ?? "").join(" ");
    const [one, other] = [this.#target(a), this.#target(b)];
    if (one === undefined || other === undefined || this.#open.has(pair))
      throw new NoIntersection("they refer to definitions that contain themselves");
    this.#open.add(pair);
    const result = this.of(one, other);
    this.#open.delete(pair);
    if (!isObject(result)) return result;
    const text = normalText(limitsOf(result));
    if (text === normalText(limitsOf(other))) return { ...annotationsOf(a), ...b };
    if (text === normalText(limitsOf(one))) return { ...a, ...annotationsOf(b) };
    return { ...result, ...annotationsOf(a), ...annotationsOf(b) };
  }

  #target(part: JsonObject): JsonObject | undefined {
    const name = referenceIn(part);
    if (name === undefined) return part;
    const { $ref: _, allOf: __, ...own } = part;
    const target = this.#resolve(name);
    const result = target && this.of(target, limitsOf(own));
    return isObject(result) ? result : undefined;
  }

  /** Combines each variant of a union with the other schema. */
  #union(union: JsonObject, other: JsonObject, both: JsonObject): Json {
    const keyword = unionIn(union)!;
    if (unionIn(other) !== undefined) throw new NoIntersection("both are unions");
    const { [keyword]: variants, ...rest } = union;
    const found = (variants as readonly Json[])
      .map((variant) => this.of(variant, limitsOf(other)))
      .filter((variant) => variant !== false);
    if (found.length === 0) return false;
    const texts = annotationsOf(both);
    if (found.length === 1) return this.of(found[0]!, { ...rest, ...texts });
    return { ...rest, ...texts, [keyword]: found };
  }

  #keywords(a: JsonObject, b: JsonObject): Json {
    const types = commonTypes(a["type"], b["type"]);
    if (types?.length === 0) return false;
    const type = types && { type: types.length === 1 ? types[0]! : types };
    const values = valuesIn(a) ?? valuesIn(b);
    if (values !== undefined) {
      if ([a, b].some((one) => isForeign(one["pattern"])))
        throw new NoIntersection("one has constants, the other a pattern that is not evaluated");
      const fits = (schema: JsonObject, value: Json): boolean =>
        findMismatch(schema as JsonSchema, value, {}) === undefined;
      const common = values.filter((value) => fits(a, value) && fits(b, value));
      if (common.length === 0) return false;
      const isOne = common.length === 1 && (a["const"] ?? b["const"]) !== undefined;
      const listed = isOne ? { const: common[0]! } : { enum: common };
      return { ...annotationsOf(a), ...annotationsOf(b), ...type, ...listed };
    }
    const properties = this.#properties(a, b);
    if (properties === false) return false;
    const { properties: _, patternProperties: __, ...others }: JsonObject = { ...a, ...b };
    const both: JsonObject = { ...others, ...type, ...bounds(a, b), ...properties };
    return select(both, (keyword) => isAbout(keyword, types));
  }

  /** Combines the keywords that hold schemas, and those that cannot be combined unless they agree. */
  #properties(a: JsonObject, b: JsonObject): JsonObject | false {
    for (const keyword of ["pattern", "not", "allOf", "x-excludes"]) {
      const values = [a[keyword], b[keyword]].filter((value) => value !== undefined);
      if (new Set(values.map(canonicalJson)).size > 1)
        throw new NoIntersection(`both have "${keyword}"`);
    }
    const required = [...new Set([...listOf(a["required"]), ...listOf(b["required"])])];
    const [ours, theirs] = [objectOf(a["properties"]), objectOf(b["properties"])];
    const isClosed = [a, b].some((one) => one["additionalProperties"] === false);
    const all: { [name: string]: Json } = {};
    for (const name of Object.keys({ ...ours, ...theirs })) {
      const [mine, yours] = [propertyOf(a, name), propertyOf(b, name)];
      const common =
        mine === undefined || yours === undefined
          ? (mine ?? yours)!
          : this.#inside(name, mine, yours);
      if (common !== false) all[name] = common;
      else if (required.includes(name)) return false;
      else if (!isClosed) throw new NoIntersection("no value fits both", [name]);
    }
    if (isClosed && required.some((name) => !Object.hasOwn(all, String(name)))) return false;
    const items = [a["items"], b["items"]].filter((value) => value !== undefined);
    const item = items.length === 2 ? this.of(items[0]!, items[1]!) : items[0];
    if (item === false) throw new NoIntersection("no item fits both");
    const values = this.#values(a, b);
    const patterns = patternsOf(a, b);
    return {
      ...(patterns !== undefined && { patternProperties: patterns }),
      ...(Object.keys(all).length > 0 && { properties: all }),
      ...(required.length > 0 && { required }),
      ...(item !== undefined && { items: item }),
      ...(values !== undefined && { additionalProperties: values }),
    };
  }

  #inside(name: string, a: Json, b: Json): Json {
    try {
      return this.of(a, b);
    } catch (error) {
      if (!(error instanceof NoIntersection)) throw error;
      throw new NoIntersection(error.message, [name, ...error.path]);
    }
  }

  /** Combines what properties accept that are not described. */
  #values(a: JsonObject, b: JsonObject): Json | undefined {
    const [ours, theirs] = [a["additionalProperties"], b["additionalProperties"]];
    if (ours === false || theirs === false) return false;
    if (ours === undefined || theirs === undefined) return ours ?? theirs;
    const values = this.of(ours, theirs);
    if (values === false) throw new NoIntersection("no value of the map fits both");
    return values;
  }
}

/** Returns what a schema accepts as a property; undefined for any value. */
function propertyOf(schema: JsonObject, name: string): Json | undefined {
  const properties = objectOf(schema["properties"]);
  if (Object.hasOwn(properties, name)) return properties[name];
  const like = Object.entries(objectOf(schema["patternProperties"])).filter(([pattern]) =>
    isLike(pattern, name),
  );
  if (like.length > 1) throw new NoIntersection("its name matches several patterns", [name]);
  const others = like.length === 1 ? like[0]![1] : schema["additionalProperties"];
  return others === true ? undefined : others;
}

/** Returns the patterns of both; undefined where neither has any, or only described properties may be there. */
function patternsOf(a: JsonObject, b: JsonObject): Json | undefined {
  const [ours, theirs] = [a["patternProperties"], b["patternProperties"]];
  const given = ours ?? theirs;
  if (ours !== undefined && theirs !== undefined) {
    if (canonicalJson(ours) === canonicalJson(theirs)) return given;
    throw new NoIntersection('both have "patternProperties"');
  }
  const rest = (ours === undefined ? a : b)["additionalProperties"] ?? true;
  if (given === undefined || rest === false) return undefined;
  if (rest === true) return given;
  throw new NoIntersection("one is a map, the other has patternProperties");
}

/** Returns the keywords that limit the values of a schema. */
export function limitsOf(schema: JsonObject): JsonObject {
  return select(
    schema,
    (keyword, value) => LIMITING_KEYWORDS.has(keyword) && !isOpen(keyword, value),
  );
}

/** Returns the keywords that a reader or a lenient receiver uses. */
export function annotationsOf(schema: JsonObject): JsonObject {
  return select(schema, (keyword) => !LIMITING_KEYWORDS.has(keyword));
}

function select(schema: JsonObject, isKept: (keyword: string, value: Json) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key, value]) => isKept(key, value)));
}

function isOpen(keyword: string, value: Json): boolean {
  return keyword.endsWith("Properties") && value === true;
}

/** Checks whether a keyword is about values of some types; without types, about any. */
function isAbout(keyword: string, types: readonly string[] | undefined): boolean {
  const own = TYPE_OF[keyword];
  return types === undefined || own === undefined || own.some((type) => types.includes(type));
}

/** Returns the definition that a schema refers to, by itself or as the only part of a combination. */
function referenceIn({ $ref, allOf }: JsonObject): string | undefined {
  const [only] = Array.isArray(allOf) && allOf.length === 1 ? (allOf as readonly Json[]) : [];
  const target = typeof $ref === "string" ? $ref : isObject(only) ? only["$ref"] : undefined;
  return typeof target === "string" ? target.replace(/^#\/(\$defs|definitions)\//, "") : undefined;
}

/** @throws NoIntersection for a schema with both kinds of unions */
export function unionIn(schema: JsonObject): "anyOf" | "oneOf" | undefined {
  if (schema["anyOf"] !== undefined && schema["oneOf"] !== undefined)
    throw new NoIntersection("one has both anyOf and oneOf");
  if (Array.isArray(schema["anyOf"])) return "anyOf";
  return Array.isArray(schema["oneOf"]) ? "oneOf" : undefined;
}

function valuesIn(schema: JsonObject): readonly Json[] | undefined {
  if (schema["const"] !== undefined) return [schema["const"]];
  return Array.isArray(schema["enum"]) ? (schema["enum"] as readonly Json[]) : undefined;
}

/** Checks whether a pattern is one that constants are not held against: it may take very long. */
export function isForeign(pattern: Json | undefined): boolean {
  return typeof pattern === "string" && findPatternProblem(pattern) !== undefined;
}

/** Returns the types of both; undefined when both accept every type. */
function commonTypes(a: Json | undefined, b: Json | undefined): readonly string[] | undefined {
  const [one, other] = [a, b].map((type) => type && ([type].flat() as readonly string[]));
  if (!one || !other) return one || other || undefined;
  const isIn = (type: string, types: readonly string[]): boolean =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  const kept = [
    ...one.filter((type) => isIn(type, other)),
    ...other.filter((type) => isIn(type, one)),
  ];
  return [...new Set(kept)];
}

/** Returns the stricter limits of both. */
function bounds(a: JsonObject, b: JsonObject): JsonObject {
  const stricter = (keywords: readonly string[], choose: (...values: number[]) => number) =>
    keywords.flatMap((keyword): [string, number][] => {
      const values = [a[keyword], b[keyword]].filter((value) => typeof value === "number");
      return values.length === 0 ? [] : [[keyword, choose(...values)]];
    });
  return Object.fromEntries([
    ...stricter(["minimum", "exclusiveMinimum", "minLength", "minItems"], Math.max),
    ...stricter(["maximum", "exclusiveMaximum", "maxLength", "maxItems"], Math.min),
  ]);
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
