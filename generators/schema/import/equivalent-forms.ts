import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { limitsOf, listOf, objectOf } from "./intersect.js";
import { TYPE_OF } from "./limits.js";

/** The types of JSON; a number may be an integer. */
const TYPES = ["null", "boolean", "string", "number", "array", "object"];

/** Drops keywords that allow everything. */
export function withoutEmpty(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties: rest, ...others } = schema;
  const isEmpty = (value: Json | undefined): boolean =>
    isObject(value) && Object.keys(value).length === 0;
  // Properties that may be anything are not described, whatever is said about them.
  const isAny = isObject(rest) && properties !== undefined && isEmpty(limitsOf(rest));
  const isMap = isEmpty(rest) || rest === true || isAny;
  return {
    ...others,
    ...(properties !== undefined && !isEmpty(properties) && { properties }),
    ...(required !== undefined && !isEmptyList(required) && { required }),
    ...(rest !== undefined && { additionalProperties: isMap ? true : rest }),
  };
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Writes an array of any items with `items`. */
export function withItems(schema: JsonObject): JsonObject {
  return schema["type"] === "array" && schema["items"] === undefined
    ? { ...schema, items: {} }
    : schema;
}

/**
 * Writes a list of types, apart from one type and null, as alternatives; all types as any value.
 *
 * @param isWhole whether one type and null are alternatives, too: a definition is no place that may be null
 */
export function splitTypes(schema: JsonObject, isWhole = false): JsonObject {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type as readonly string[];
  if (TYPES.every((one) => types.includes(one)) && !Object.keys(rest).some(isLimit)) return rest;
  const others = types.filter((one) => one !== "null");
  if (others.length < 2 && !isWhole) return schema;
  const entries = Object.entries(rest);
  const shared = entries.filter(([keyword]) => TYPE_OF[keyword] === undefined);
  const variants = types.map((one) => ({
    type: one,
    ...Object.fromEntries(entries.filter(([keyword]) => TYPE_OF[keyword]?.includes(one))),
  }));
  return { ...Object.fromEntries(shared), anyOf: variants.map(withItems) } as JsonObject;
}

function isLimit(keyword: string): boolean {
  return TYPE_OF[keyword] !== undefined || keyword === "enum" || keyword === "const";
}

/**
 * Writes the variant for unknown tags with the tags that its union knows, which is what the model
 * derives. Some releases have excluded the tags of features that were off.
 */
export function closeUnknownTags(schema: JsonObject): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const variants = listOf(schema[keyword]);
    const tags = variants.flatMap(tagsOf);
    if (tags.length === 0) continue;
    const known = new Set(tags.map((tag) => canonicalJson(tag)));
    const closed = variants.map((variant) => {
      const excluded = isObject(variant) && isObject(variant["not"]) ? variant["not"] : {};
      const list = listOf(excluded["anyOf"]);
      if (!isObject(variant) || list.length === 0) return variant;
      const kept = list.filter((one) => tagsOf(one).every((tag) => known.has(canonicalJson(tag))));
      return { ...variant, not: { anyOf: kept } };
    });
    return { ...schema, [keyword]: closed };
  }
  return schema;
}

/** Checks whether `not` excludes the tags that a union knows. */
export function hasExclusion({ not }: JsonObject): boolean {
  const alternatives = isObject(not) ? listOf(not["anyOf"]) : [];
  return alternatives.length > 0 && alternatives.every((one) => tagsOf(one).length > 0);
}

/** Returns the constants that a variant requires, each with its property. */
function tagsOf(variant: Json): readonly JsonObject[] {
  const properties = isObject(variant) ? objectOf(variant["properties"]) : {};
  return Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property["const"] !== undefined
      ? [{ name, value: property["const"]! }]
      : [],
  );
}
