import { codePointLength, isCustom } from "./fast-checks.js";
import type { DropRule } from "./decode-result.js";
import { render, viewOf, walk, type Look } from "./diagnosis.js";

/** What can be special about a property; the sum of these. Generated code holds the numbers. */
export const Flag = {
  Required: 1,
  Nullable: 2,
  DefaultOnError: 4,
  DefaultOnNull: 8,
  SkipInvalidItems: 16,
} as const;

export function string(value: unknown): void {
  if (typeof value !== "string") walk.reject("type", "string", value);
}

/** A string of restricted length, in Unicode code points, or form. */
export function text(value: unknown, min = 0, max = Infinity, pattern?: string): void {
  if (typeof value !== "string") return string(value);
  within(value, codePointLength(value), min, max, "Length");
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
    walk.reject("pattern", `pattern ${pattern}`, value);
}

export function boolean(value: unknown): void {
  if (typeof value !== "boolean") walk.reject("type", "boolean", value);
}

export function number(value: unknown, min = -Infinity, max = Infinity): void {
  if (Number.isFinite(value)) within(value, value as number, min, max, "imum");
  else walk.reject("type", "number", value);
}

export function integer(value: unknown, min = -Infinity, max = Infinity): void {
  if (!Number.isInteger(value)) return walk.reject("type", "integer", value);
  if (!Number.isSafeInteger(value)) walk.note("unsafe-integer", "the integer has lost precision");
  within(value, value as number, min, max, "imum");
}

/** An integer from 0 on. */
export function natural(value: unknown): void {
  integer(value, 0);
}

/** Whether a size is within limits; the rule is `minimum`, `maxLength` and the like. */
function within(value: unknown, size: number, min: number, max: number, what: string): void {
  if (size < min) walk.reject(`min${what}`, `min${what} ${min}`, value);
  if (size > max) walk.reject(`max${what}`, `max${what} ${max}`, value);
}

export function nothing(value: unknown): void {
  if (value !== null) walk.reject("type", "null", value);
}

/** Any value. */
export function any(): void {}

/** Any value, but there must be one. */
export function present(value: unknown): void {
  if (value === undefined) walk.reject("required", "a value", value);
}

/** One of a list of strings or integers; open lists and receivers take others too. */
export function oneOf(value: unknown, values: readonly (string | number)[], open?: 1): void {
  if ((values as readonly unknown[]).includes(value)) return;
  const type = typeof values[0] === "string" ? "string" : "integer";
  if (type === "string" ? typeof value !== "string" : !Number.isInteger(value))
    return walk.reject("type", type, value);
  if (open && isCustom(value)) return;
  if (open ? walk.mode === "send" && type === "string" : walk.mode !== "keep")
    return walk.reject("enum", `one of ${values.join(", ")}`, value);
  walk.note("unknown", `${render(value)} is not known`);
}

/** An object; says whether it is one, since the look ends where there is nothing to look into. */
export function object(value: unknown): boolean {
  const isOne = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isOne) walk.reject("type", "object", value);
  return isOne;
}

/** A property that may hold anything; asked for so that a walk knows that it is declared. */
export function allows(value: unknown, name: string): void {
  walk.ask(viewOf(value)!, name);
}

/** An object that may have properties that nobody asks for. */
export function opens(value: unknown): void {
  viewOf(value)!.isOpen = true;
}

/** An object whose properties all get one look. */
export function map(value: unknown, look: Look): void {
  if (!object(value)) return;
  const view = viewOf(value)!;
  for (const key of Object.keys(view.source)) look(walk.read(view, key));
}

/**
 * An array whose items all get one look.
 *
 * @param skip whether items that do not fit are taken out
 */
export function list(value: unknown, look: Look, min = 0, max = Infinity, skip = false): void {
  if (!Array.isArray(value)) return walk.reject("type", "array", value);
  const view = viewOf(value)!;
  const { length } = view.source as unknown[];
  within(value, length, min, max, "Items");
  for (let index = 0; index < length; index++) {
    const item = walk.read(view, `${index}`);
    if (skip) mend(item, look, "skip-invalid-items");
    else look(item);
  }
}

/** A property that may be absent, null or, when a walk repairs, dropped: the most common sort. */
export function optional(value: unknown, look: Look): void {
  field(value, look, Flag.Nullable + Flag.DefaultOnError);
}

/** A property with flags whose value is a list. */
export function listField(
  value: unknown,
  look: Look,
  flags: number,
  fallback?: string,
  min = 0,
  max = Infinity,
): void {
  const skip = walk.repairs && (flags & Flag.SkipInvalidItems) !== 0;
  const items: Look = (found) => list(found, look, min, max, skip);
  field(value, items, flags, fallback, true);
}

/**
 * A property with flags: the rules of the decode flags, in their order (protocol
 * facts, section 1.2).
 *
 * @param fallback the default as JSON text
 */
export function field(
  value: unknown,
  look: Look,
  flags: number,
  fallback?: string,
  isList?: true,
): void {
  const { view, key, repairs } = walk;
  const completes = repairs && fallback !== undefined;
  if (value === undefined) {
    if (completes) view.put(key, JSON.parse(fallback));
    else if (flags & Flag.Required) present(value);
    return;
  }
  if (value === null && flags & Flag.Nullable) return;
  if (value === null && repairs && flags & Flag.DefaultOnNull) {
    view.put(key, isList ? [] : {});
    return walk.note("default-on-null", "null stands for nothing");
  }
  const isEmptied = isList && !(flags & Flag.Nullable);
  const isMendable = completes || isEmptied || !(flags & Flag.Required);
  if (!repairs || !(flags & Flag.DefaultOnError) || !isMendable) return look(value);
  const empty = isEmptied || (isList && value === null) ? [] : undefined;
  mend(value, look, "default-on-error", completes ? JSON.parse(fallback) : empty);
}

/** Looks at what was read last; when it does not fit, replaces or removes it and says so. */
function mend(value: unknown, look: Look, rule: DropRule, replacement?: unknown): void {
  const { view, key } = walk;
  const errors = walk.attempt(look, value);
  if (errors === undefined) return;
  view.put(key, replacement);
  walk.view = view;
  walk.key = key;
  const [first] = errors;
  walk.note(rule, first ? `expected ${first.expected} at ${first.path}` : "invalid");
}
