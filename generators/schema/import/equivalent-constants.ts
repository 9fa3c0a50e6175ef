import { findMismatch } from "../json-schema/find-mismatch.js";
import { canonicalJson, type Json, type JsonObject } from "../json-schema/json.js";
import { LIMITING_KEYWORDS, TYPE_OF } from "./limits.js";

/** Keywords that the values of a list replace: they are tried on each of them. */
const TRIED = ["type", ...Object.keys(TYPE_OF)];

/**
 * Writes constants as what the dialect has: texts, integers and a boolean as constants of one type,
 * `null` and both booleans as types, and constants of several types as alternatives.
 *
 * @returns undefined when none of the constants fits the other keywords
 */
export function withConstants(schema: JsonObject): JsonObject | undefined {
  const { const: only, enum: listed, ...rest } = schema;
  const given = only === undefined ? listed : [only];
  if (!Array.isArray(given) || isPlainList(given as readonly Json[], schema)) return schema;
  const entries = Object.entries(rest);
  const others = entries.filter(([keyword]) => !TRIED.includes(keyword));
  if (others.some(([keyword]) => LIMITING_KEYWORDS.has(keyword))) return schema;
  const tried = Object.fromEntries(entries.filter(([keyword]) => TRIED.includes(keyword)));
  const values = distinct(given as readonly Json[]).filter(
    (value) => findMismatch(tried, value, {}) === undefined,
  );
  if (values.length === 0) return undefined;
  const forms = formsOf(values, only !== undefined);
  if (forms === undefined) return schema;
  const texts = Object.fromEntries(others) as JsonObject;
  return forms.length === 1 ? { ...texts, ...forms[0]! } : { ...texts, anyOf: forms };
}

/** Whether a list has the form that the dialect has: texts or integers, and no keyword but their type. */
function isPlainList(values: readonly Json[], schema: JsonObject): boolean {
  const type = typeof values[0] === "string" ? "string" : "integer";
  const isOne = values.every((value) =>
    type === "string" ? typeof value === "string" : Number.isInteger(value),
  );
  const limits = Object.keys(schema).filter((keyword) => TYPE_OF[keyword] !== undefined);
  return isOne && values.length > 0 && limits.length === 0 && isType(schema["type"], type);
}

function isType(given: Json | undefined, type: string): boolean {
  return given === undefined || given === type;
}

/** Returns a schema for the values of each type; undefined for values that no constant has. */
function formsOf(values: readonly Json[], isOne: boolean): readonly JsonObject[] | undefined {
  const texts = values.filter((value) => typeof value === "string");
  const integers = values.filter((value) => Number.isInteger(value));
  const booleans = values.filter((value) => typeof value === "boolean");
  const nulls = values.filter((value) => value === null);
  const found = [texts, integers, booleans, nulls].reduce((sum, { length }) => sum + length, 0);
  if (found < values.length) return undefined;
  const list = (type: string, own: readonly Json[]): JsonObject[] => {
    if (own.length === 0) return [];
    return [isOne ? { type, const: own[0]! } : { type, enum: own }];
  };
  const [first, second] = booleans;
  return [
    ...list("string", texts),
    ...list("integer", integers),
    ...(first === undefined
      ? []
      : [{ type: "boolean", ...(second === undefined && { const: first }) }]),
    ...(nulls.length === 0 ? [] : [{ type: "null" }]),
  ];
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}
