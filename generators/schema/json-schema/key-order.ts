import { isObject, type Json, type JsonObject } from "./json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "./keywords.js";

/**
 * Gives a document one order of keys, whatever order they were written in: JSON
 * objects have none (RFC 8259, section 4), so no output may depend
 * on it. Keywords stand as the table of keywords lists them; properties as
 * `required` lists them, then the others by name, reserved ones last; everything
 * else by name.
 */
export function inKeyOrder(document: JsonObject): JsonObject {
  return ordered(
    document,
    (a, b) => rank(a) - rank(b),
    (key, value) => {
      if (VALUES.has(key)) return inNameOrder(value);
      if (key === "properties" && isObject(value))
        return inPropertyOrder(value, document["required"]);
      return everywhere(value);
    },
  );
}

/** Keywords whose values are values of messages, not schemas. */
export const VALUES: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

const RANKS = new Map(
  [...Object.keys(KEYWORDS), ...Object.keys(DERIVED_KEYWORDS)].map((key, index) => [key, index]),
);

function rank(key: string): number {
  return RANKS.get(key) ?? RANKS.size;
}

function everywhere(value: Json): Json {
  if (isList(value)) return value.map(everywhere);
  return isObject(value) ? inKeyOrder(value) : value;
}

function inPropertyOrder(properties: JsonObject, required: Json | undefined): JsonObject {
  const listed = new Map((isList(required) ? required : []).map((name, index) => [name, index]));
  const place = (name: string): number =>
    listed.get(name) ?? listed.size + (name.startsWith("_") ? 1 : 0);
  return ordered(
    properties,
    (a, b) => place(a) - place(b),
    (_, property) => everywhere(property),
  );
}

function inNameOrder(value: Json): Json {
  if (isList(value)) return value.map(inNameOrder);
  return isObject(value)
    ? ordered(
        value,
        () => 0,
        (_, part) => inNameOrder(part),
      )
    : value;
}

/** @param compare where it is 0, names are compared by their UTF-16 code units, in no language */
function ordered(
  object: JsonObject,
  compare: (a: string, b: string) => number,
  change: (key: string, value: Json) => Json,
): JsonObject {
  const keys = Object.keys(object).sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, change(key, object[key]!)]));
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
