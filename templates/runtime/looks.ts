import { codePointLength } from "./code-points.js";
import type { DropRule } from "./verdict.js";
import { viewOf } from "./view.js";
import { own as ownOf, walk, type Check } from "./walk.js";

/** What can be special about a property; the sum of these. Generated code holds the numbers. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
} as const;

/** Ends a check that has failed: false on the first look; on the second it notes why and goes on. */
function fails(value: unknown, expected: string, rule = "type"): boolean {
  return walk !== undefined && walk.reject(rule, expected, value);
}

export function isString(value: any): boolean {
  return typeof value === "string" || fails(value, "string");
}

/** A string of restricted length, in Unicode code points, or form. */
export function isText(value: any, min = 0, max = Infinity, pattern?: string): boolean {
  if (typeof value !== "string") return fails(value, "string");
  return (
    isWithin(value, codePointLength(value), min, max, "Length") &&
    (pattern === undefined ||
      new RegExp(pattern, "u").test(value) ||
      fails(value, `pattern ${pattern}`, "pattern"))
  );
}

export function isBoolean(value: any): boolean {
  return typeof value === "boolean" || fails(value, "boolean");
}

export function isNumber(value: any, min = -Infinity, max = Infinity): boolean {
  return Number.isFinite(value) ? isWithin(value, value, min, max, "imum") : fails(value, "number");
}

/** An integer; one that a number cannot hold exactly is worth a note, and so a second look. */
export function isInteger(value: any, min = -Infinity, max = Infinity): boolean {
  if (!Number.isSafeInteger(value)) {
    if (!Number.isInteger(value)) return fails(value, "integer");
    if (walk === undefined) return false;
    walk.note("unsafe-integer", "the integer has lost precision");
  }
  return isWithin(value, value, min, max, "imum");
}

/** An integer from 0 on. */
export function isNatural(value: any): boolean {
  return isInteger(value, 0);
}

/** Whether a size is within limits; the rule is `minimum`, `maxLength` and the like. */
function isWithin(value: any, size: number, min: number, max: number, what: string): boolean {
  const rule = size < min ? `min${what}` : `max${what}`;
  return (size >= min && size <= max) || fails(value, `${rule} ${size < min ? min : max}`, rule);
}

export function isNull(value: any): boolean {
  return value === null || fails(value, "null");
}

/** Any value; for places where a check is needed and none is made. */
export function isAny(_value: any): boolean {
  return true;
}

/** Any value, but there must be one. */
export function isPresent(value: any): boolean {
  return value !== undefined || fails(value, "a value");
}

/** One of a list of strings or integers. */
export function isOneOf(value: any, values: readonly (string | number)[], open?: 1): boolean {
  if (values.includes(value)) return true;
  if (walk === undefined) return false;
  const type = typeof values[0] === "string" ? "string" : "integer";
  if (type === "string" ? typeof value !== "string" : !Number.isInteger(value))
    return fails(value, type);
  const isReserved = walk.mode === "send" && !String(value).startsWith("_");
  if (open === undefined ? walk.mode !== "keep" : isReserved && type === "string")
    return fails(value, `one of ${values.join(", ")}`, "enum");
  walk.note("unknown", `${JSON.stringify(value)} is not known`);
  return true;
}

/** An object; the only check that also ends a second look, since there is nothing to look into. */
export function isObject(value: any): boolean {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return true;
  fails(value, "object");
  return false;
}

/** An object of which nothing is known but that it is one. */
export function isMarker(value: any): boolean {
  return isObject(value) && allows(value, "");
}

/** A property that may hold anything; asked for so that a walk knows that it is declared. */
export function allows(value: any, name: string): boolean {
  walk?.ask(viewOf(value)!, name);
  return true;
}

/** A property whose name every object inherits. */
export function own(value: any, name: string): any {
  if (value === undefined || value === null) return undefined;
  return walk === undefined ? ownOf(value, name) : value[name];
}

/** An object whose properties all fit one check. */
export function isMap(value: any, check: Check): boolean {
  if (!isObject(value)) return false;
  if (walk === undefined) return Object.keys(value).every((key) => check(value[key]));
  const view = viewOf(value)!;
  for (const key of Object.keys(view.source)) check(walk.read(view, key));
  return true;
}

/** An array whose items all fit one check. */
export function isList(value: any, check: Check, min = 0, max = Infinity): boolean {
  return walk === undefined
    ? fitsList(value, check, min, max)
    : lookAtList(value, check, min, max, false);
}

/** A property that may be absent, null or, when a walk repairs, dropped: the most common sort. */
export function optional(value: any, check: Check): boolean {
  return walk === undefined
    ? check(value)
    : lookAtField(value, check, Flag.Nullable + Flag.DefaultOnError);
}

/**
 * A property with flags.
 *
 * @param fallback the default as JSON text; a value that lacks it has to be completed
 */
export function field(value: any, check: Check, flags: number, fallback?: string): boolean {
  if (walk !== undefined) return lookAtField(value, check, flags, fallback);
  if (value === undefined) return fallback === undefined && (flags & Flag.Required) === 0;
  return (value === null && (flags & Flag.Nullable) !== 0) || check(value);
}

/** A property with flags whose value is a list. */
export function list(
  value: any,
  check: Check,
  flags: number,
  fallback?: string,
  min = 0,
  max = Infinity,
): boolean {
  if (walk !== undefined) {
    const skip = walk.repairs && (flags & Flag.SkipInvalidItems) !== 0;
    const look: Check = (items) => lookAtList(items, check, min, max, skip);
    return lookAtField(value, look, flags, fallback, true);
  }
  if (value === undefined) return fallback === undefined && (flags & Flag.Required) === 0;
  return value === null ? (flags & Flag.Nullable) !== 0 : fitsList(value, check, min, max);
}

function fitsList(value: any, check: Check, min: number, max: number): boolean {
  if (!Array.isArray(value) || value.length < min || value.length > max) return false;
  for (let index = 0; index < value.length; index++) if (!check(value[index])) return false;
  return true;
}

function lookAtList(value: any, check: Check, min: number, max: number, skip: boolean): boolean {
  if (!Array.isArray(value)) return fails(value, "array");
  const view = viewOf(value)!;
  const { length } = view.source as unknown[];
  isWithin(value, length, min, max, "Items");
  for (let index = 0; index < length; index++) {
    const item = walk!.read(view, `${index}`);
    if (skip) mend(item, check, "skip-invalid-items");
    else check(item);
  }
  return true;
}

/** The rules of the decode flags, in their order (protocol facts, section 1.2). */
function lookAtField(
  value: any,
  check: Check,
  flags: number,
  fallback?: string,
  isList?: true,
): boolean {
  const { view, key, repairs } = walk!;
  const completes = repairs && fallback !== undefined;
  if (value === undefined) {
    if (completes) view.put(key, JSON.parse(fallback));
    return completes || (flags & Flag.Required) === 0 || fails(value, "a value");
  }
  if (value === null && flags & Flag.Nullable) return true;
  if (value === null && repairs && flags & Flag.DefaultOnNull) {
    view.put(key, isList ? [] : {});
    walk!.note("default-on-null", "null stands for nothing");
    return true;
  }
  const isEmptied = isList && !(flags & Flag.Nullable);
  const isMendable = completes || isEmptied || !(flags & Flag.Required);
  if (!repairs || !(flags & Flag.DefaultOnError) || !isMendable) {
    check(value);
    return true;
  }
  const empty = isEmptied || (isList && value === null) ? [] : undefined;
  return mend(value, check, "default-on-error", completes ? JSON.parse(fallback) : empty);
}

/** Checks what was read last; when it does not fit, replaces or removes it and says so. */
function mend(value: any, check: Check, rule: DropRule, replacement?: unknown): true {
  const { view, key } = walk!;
  const errors = walk!.attempt(check, value);
  if (errors !== undefined) {
    view.put(key, replacement);
    walk!.view = view;
    walk!.key = key;
    const [first] = errors;
    walk!.note(rule, first ? `expected ${first.expected} at ${first.path}` : "invalid");
  }
  return true;
}
