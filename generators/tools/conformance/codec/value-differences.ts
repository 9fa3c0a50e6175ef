import { canonicalJson, isObject, type JsonObject } from "../../../schema/json-schema/json.js";
import { jsonPointer, parsePointer } from "../../../schema/problem.js";

/** One place in which a value differs from the expected one. */
export interface ValueDifference {
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
  /** What happened there to a property, to the items of a list, or to another value. */
  readonly change: "lost" | "added" | "items" | "value";
  /** What is expected there, unless it was added. */
  readonly expected?: unknown;
}

/** Returns the places in which a value differs, each as deep inside as possible. */
export function valueDifferences(
  expected: unknown,
  found: unknown,
  pointer = "",
): readonly ValueDifference[] {
  if (isObject(expected) && isObject(found)) return memberDifferences(expected, found, pointer);
  if (!Array.isArray(expected) || !Array.isArray(found)) {
    if (canonicalJson(expected) === canonicalJson(found)) return [];
    return [{ pointer, change: "value", expected }];
  }
  if (expected.length !== found.length) return [{ pointer, change: "items", expected }];
  return expected.flatMap((item, index) =>
    valueDifferences(item, found[index], `${pointer}/${index}`),
  );
}

function memberDifferences(
  expected: JsonObject,
  found: JsonObject,
  pointer: string,
): readonly ValueDifference[] {
  const at = (key: string): string => pointer + jsonPointer([key]);
  const differences = Object.keys(expected).flatMap((key): readonly ValueDifference[] =>
    Object.hasOwn(found, key)
      ? valueDifferences(expected[key], found[key], at(key))
      : [{ pointer: at(key), change: "lost", expected: expected[key] }],
  );
  const added = Object.keys(found)
    .filter((key) => !Object.hasOwn(expected, key))
    .map((key): ValueDifference => ({ pointer: at(key), change: "added" }));
  return [...differences, ...added];
}

/** Returns whether a value has something at the place that a JSON pointer names. */
export function hasPlace(value: unknown, pointer: string): boolean {
  let holder = value;
  for (const key of parsePointer(pointer)) {
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return false;
    holder = (holder as { readonly [key: string]: unknown })[key];
  }
  return true;
}
