import { isRecord } from "../../typescript/runtime/rpc/messages.js";
import type { Undeclared } from "./undeclared.js";
import type { ValueChecks } from "./value-checks.js";

/** The maximum number of unknown names in one value that are looked up. */
const MAX_LOOKUPS = 20;
/** Longer names are not looked up. */
const MAX_LENGTH = 64;
/** The length from which a name may differ in two letters. */
const LONG = 10;

/** The unknown names of one value, as its definition has them. */
export interface Spelling {
  /** Returns the declared name that an undeclared property or tag probably means; undefined without one. */
  readonly misspelled: (property: Undeclared) => string | undefined;
  /** Returns the listed name that the unknown one at a pointer probably means; undefined without one. */
  readonly meant: (pointer: string) => string | undefined;
}

/** A spelling for profiles without a list of names. */
const NO_SPELLING: Spelling = { meant: () => undefined, misspelled: () => undefined };

/**
 * Looks up misspelled tags and enumeration values. A name is meant when it is spelled alike and
 * the value's definition knows it in the same place, which a decode of the value with it shows.
 */
export function createSpelling(
  { decode, names }: ValueChecks,
  definition: string,
  value: unknown,
): Spelling {
  if (names === undefined) return NO_SPELLING;
  let lookups = 0;
  const isKnown = (name: string, pointer: string): boolean => {
    const outcome = decode(definition, replaceAt(value, tokensOf(pointer), name));
    if (outcome === undefined) return false;
    const reports = outcome.ok ? outcome.notes : outcome.issues;
    return !reports.some((report) => report.pointer === pointer);
  };
  return {
    meant: (pointer) => {
      const given = tokensOf(pointer).reduce(memberOf, value);
      if (typeof given !== "string" || given.length > MAX_LENGTH) return undefined;
      if ((lookups += 1) > MAX_LOOKUPS) return undefined;
      return alike(given, names).find((name) => isKnown(name, pointer));
    },
    misspelled: ({ pointer, name, isTag, declared }) => {
      if (name.length > MAX_LENGTH) return undefined;
      const holder = tokensOf(pointer).slice(0, -1).reduce(memberOf, value);
      // A property that the object has is not meant by another one.
      return alike(name, declared).find((one) => isTag || memberOf(holder, one) === undefined);
    },
  };
}

/** Returns the names that are spelled like another one, the nearest first. */
export function alike(given: string, names: readonly string[]): readonly string[] {
  const word = plain(given);
  const most = word.length < LONG ? 1 : 2;
  return names
    .map((name) => ({ name, steps: distance(word, plain(name), most) }))
    .filter(({ steps }) => steps <= most)
    .sort((one, other) => one.steps - other.steps)
    .map(({ name }) => name);
}

/** Returns a name without what styles of names differ in. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_\- ]/g, "");
}

/**
 * Counts the letters that must be inserted, removed, replaced or swapped with their neighbor to
 * make one word of the other.
 *
 * @param most a number above which the exact one does not matter
 */
function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let last: readonly number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (isSame ? 0 : 1),
          isSwapped ? last[j - 2]! + 1 : Infinity,
        ),
      );
    }
    last = row;
    row = next;
  }
  return row[other.length]!;
}

function tokensOf(pointer: string): readonly string[] {
  const tokens = pointer.split("/").slice(1);
  return tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function memberOf(value: unknown, key: string): unknown {
  if (!isRecord(value) && !Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key)
    ? (value as { readonly [key: string]: unknown })[key]
    : undefined;
}

/** Returns a value with another one at the end of a path; only what the path leads through is copied. */
function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const member = replaceAt(memberOf(value, key), rest, replacement);
  if (Array.isArray(value)) return value.map((item, index) => (`${index}` === key ? member : item));
  return isRecord(value) ? { ...value, [key]: member } : value;
}
