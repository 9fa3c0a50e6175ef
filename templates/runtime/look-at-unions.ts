import { isObject } from "./checks.js";
import type { ValidationError } from "./verdict.js";
import { viewOf } from "./view.js";
import { own, walk, type Check, type Mode, type Walk } from "./walk.js";

/*
 * The ends of a `switch` over the tag of a union, which is what was read last,
 * and unions without a tag. Values that need a note fail on the first look.
 */

/** A tag that a closed union does not list. */
export function isUnlisted(value: any, tags: readonly string[]): boolean {
  return walk !== undefined && lookAtUnlisted(walk, value, tags);
}

function lookAtUnlisted(walk: Walk, value: any, tags: readonly string[]): boolean {
  const found = tagOf(walk, value);
  if (found === undefined) return true;
  if (walk.mode !== "keep") return walk.reject("enum", `one of ${tags.join(", ")}`, found);
  walk.note("unknown", `${JSON.stringify(found)} is not known`);
  return true;
}

/**
 * A tag that an open union does not list: the rest of the value must fit a
 * check. With a fallback, a tag that is no string is left to it.
 */
export function isCustom(value: any, check: Check, fallback?: Check): boolean {
  return walk !== undefined && lookAtCustom(walk, value, check, fallback);
}

function lookAtCustom(walk: Walk, value: any, check: Check, fallback?: Check): boolean {
  if (fallback !== undefined && typeof own(walk.view.source, walk.key) !== "string")
    return fallback(value);
  const found = tagOf(walk, value);
  if (found === undefined) return true;
  const { view, key, failures } = walk;
  if (walk.mode === "send" && !found.startsWith("_"))
    return walk.reject("enum", 'a known value, or one that starts with "_"', found);
  check(value);
  if (walk.failures > failures) return true;
  walk.view = view;
  walk.key = key;
  walk.free(view);
  walk.note("unknown", `${JSON.stringify(found)} is not known`);
  return true;
}

/** The tag when it is a string; else notes what is wrong. */
function tagOf(walk: Walk, value: any): string | undefined {
  const { view, key } = walk;
  if (!isObject(value)) return undefined;
  const found = own(view.source, key);
  if (typeof found === "string") return found;
  walk.reject("type", "string", found);
  return undefined;
}

/** A malformed tag that a walk may drop, where a variant without a tag exists. */
export function isUntagged(value: any, absent: Check): boolean {
  if (!walk?.repairs || !isObject(value)) return false;
  const { view, key } = walk;
  if (typeof own(view.source, key) === "string") return false;
  view.put(key, undefined);
  walk.note("default-on-error", "expected string");
  return absent(value);
}

/** A listed variant, or what an object without a listed tag must be: a value may fit either. */
export function isEither(value: any, listed: Check, fallback: Check): boolean {
  return walk === undefined ? listed(value) : lookAtEither(walk, value, listed, fallback);
}

function lookAtEither(walk: Walk, value: any, listed: Check, fallback: Check): boolean {
  const errors = walk.attempt(listed, again(value));
  const isNeither = errors !== undefined && walk.attempt(fallback, again(value)) !== undefined;
  return !isNeither || resume(walk, errors);
}

/** Whether a union without a tag has to be looked at with `isAlternative`. */
export function isWalking(): boolean {
  return walk !== undefined;
}

/**
 * A union without a tag, on a second look: the first variant that fits as it
 * stands, else the first that fits when repaired. When none does, the one that
 * fails deepest inside is taken to be meant.
 *
 * @param exclusive whether a value must not fit two
 */
export function isAlternative(value: any, exclusive: boolean, ...variants: Check[]): boolean {
  const { mode, repairs } = walk!;
  let reports: (readonly ValidationError[])[] = [];
  for (const as of repairs ? ["strict" as const, mode] : [mode]) {
    reports = [];
    const fitting = variants.filter((variant) => {
      const errors = explain(walk!, variant, value, as);
      if (errors !== undefined) reports.push(errors);
      return errors === undefined;
    });
    if (exclusive && fitting.length > 1) return walk!.reject("oneOf", "only one variant", value);
    if (fitting.length > 0) return fitting[0]!(again(value));
  }
  walk!.locate(value);
  const here = walk!.pointer();
  const inside = reports.filter(
    ([first]) => first !== undefined && first.path !== here && first.rule !== "required",
  );
  if (inside.length === 1) return resume(walk!, inside[0]!);
  const expected = new Set(reports.flatMap(([first]) => first?.expected ?? []));
  return walk!.reject("anyOf", [...expected].join(" or "), value);
}

/** Why a value does not fit a check; undefined when it does. Nothing of the attempt stays. */
function explain(
  walk: Walk,
  check: Check,
  value: any,
  as: Mode,
): readonly ValidationError[] | undefined {
  const { mode } = walk;
  const dropped = walk.dropped.length;
  walk.mode = as;
  const errors = walk.attempt(check, again(value));
  walk.mode = mode;
  walk.dropped.length = dropped;
  return errors;
}

/** Notes the errors of an attempt after all. */
function resume(walk: Walk, errors: readonly ValidationError[]): true {
  walk.failures++;
  walk.errors.push(...errors);
  return true;
}

/** A value to try another check on. */
function again(value: any): any {
  return viewOf(value)?.again().proxy ?? value;
}
