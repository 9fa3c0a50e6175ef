import { codePointLength, isCustom, passesFastCheck } from "./fast-checks.js";
import type { NoteRule } from "./decode-result.js";
import {
  current,
  Diagnosis,
  trackedOf,
  writesItself,
  type Check,
  type Diagnose,
  type TrackedValue,
} from "./diagnosis.js";
import { render } from "./report-text.js";

/*
 * Flags of properties; generated code passes their sum.
 */
export const Required = 1;
export const Nullable = 2;
export const DefaultOnError = 4;
export const DefaultOnNull = 8;
export const SkipInvalidItems = 16;

export function string(value: unknown): void {
  if (typeof value !== "string") current.diagnosis.reject("type", "string", value);
}

/** Diagnoses a string with a limited length, in Unicode code points, or a pattern. */
export function text(value: unknown, min = 0, max = Infinity, pattern?: string): void {
  if (typeof value !== "string") return string(value);
  within(value, codePointLength(value), min, max, "Length");
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
    current.diagnosis.reject("pattern", `pattern ${pattern}`, value);
}

export function boolean(value: unknown): void {
  if (typeof value !== "boolean") current.diagnosis.reject("type", "boolean", value);
}

export function number(value: unknown, min = -Infinity, max = Infinity): void {
  if (Number.isFinite(value)) within(value, value as number, min, max, "imum");
  else current.diagnosis.reject("type", "number", value);
}

export function integer(value: unknown, min = -Infinity, max = Infinity): void {
  if (!Number.isInteger(value)) return current.diagnosis.reject("type", "integer", value);
  if (!Number.isSafeInteger(value))
    current.diagnosis.note("unsafe-integer", "the integer has lost precision");
  within(value, value as number, min, max, "imum");
}

/** Diagnoses a non-negative integer. */
export function natural(value: unknown): void {
  integer(value, 0);
}

/** Rejects a size outside the limits, by the rule `minimum`, `maxLength` and so on. */
function within(value: unknown, size: number, min: number, max: number, what: string): void {
  if (size < min) current.diagnosis.reject(`min${what}`, `min${what} ${min}`, value);
  if (size > max) current.diagnosis.reject(`max${what}`, `max${what} ${max}`, value);
}

export function nullValue(value: unknown): void {
  if (value !== null) current.diagnosis.reject("type", "null", value);
}

/** Accepts any value. */
export function any(): void {}

/** Accepts any value except undefined. */
export function present(value: unknown): void {
  if (value === undefined) current.diagnosis.reject("required", "a value", value);
}

/** Diagnoses one of a list of strings or integers; open lists and lenient decoding accept others. */
export function oneOf(value: unknown, values: readonly (string | number)[], open?: 1): void {
  if ((values as readonly unknown[]).includes(value)) return;
  const type = typeof values[0] === "string" ? "string" : "integer";
  if (type === "string" ? typeof value !== "string" : !Number.isInteger(value))
    return current.diagnosis.reject("type", type, value);
  if (open && isCustom(value)) return;
  const { diagnosis } = current;
  const { source } = diagnosis.holder;
  const isKept = open
    ? type === "integer" || diagnosis.allowsReserved(source)
    : diagnosis.keepsUnknown(source);
  if (!isKept) return current.diagnosis.reject("enum", `one of ${values.join(", ")}`, value);
  current.diagnosis.note("unknown", `${render(value)} is not known`);
}

/** Diagnoses an object. Returns whether the value is one, since its properties can be diagnosed only then. */
export function object(value: unknown): boolean {
  const tracked = trackedOf(value);
  const isOne = tracked !== undefined && !Array.isArray(tracked.source);
  if (!isOne) current.diagnosis.reject("type", "object", value);
  return isOne && !writesOther(tracked);
}

/** Refuses to send an object or a list with `toJSON`, which would write something unchecked. */
function writesOther(value: TrackedValue): boolean {
  const { diagnosis } = current;
  if (diagnosis.mode !== "send" || !writesItself(value.source)) return false;
  diagnosis.reject("json", "a value without toJSON", value);
  return true;
}

/** Records a declared property that may hold any value. */
export function declares(value: unknown, name: string): void {
  trackedOf(value)!.get(name);
}

/** Records that an object may have undeclared properties. */
export function allowsOthers(value: unknown): void {
  trackedOf(value)!.isOpen = true;
}

/** Diagnoses the values of an object. */
export function map(value: unknown, diagnose: Diagnose): void {
  if (!object(value)) return;
  const holder = trackedOf(value)!;
  for (const key of Object.keys(holder.source)) diagnose(current.diagnosis.read(holder, key));
}

/**
 * Diagnoses the items of an array.
 *
 * @param items diagnoses an item; with a check, items that pass its fast path are not diagnosed
 * @param skip whether invalid items are removed
 */
export function list(
  value: unknown,
  items: Diagnose | Check,
  min = 0,
  max = Infinity,
  skip = false,
): void {
  const holder = trackedOf(value);
  if (!Array.isArray(holder?.source)) return current.diagnosis.reject("type", "array", value);
  if (writesOther(holder)) return;
  const { length } = holder.source;
  within(value, length, min, max, "Items");
  const diagnose = typeof items === "function" ? items : items.diagnose;
  const is = typeof items === "function" || readsAllParts() ? undefined : items.is;
  let kept = length;
  for (let index = 0; index < length; index++) {
    if (is !== undefined && passesFastCheck((holder.source as unknown[])[index], is)) continue;
    const item = current.diagnosis.read(holder, `${index}`);
    if (!skip) diagnose(item);
    else if (repair(item, diagnose, "skip-invalid-items")) kept--;
  }
  if (kept < min && length >= min)
    current.diagnosis.reject("minItems", `minItems ${min} without the invalid items`, value);
}

/** Returns whether a value needs no diagnosis, since it passes its fast check. */
export function passes(value: unknown, is: Check["is"]): boolean {
  return !readsAllParts() && passesFastCheck(trackedOf(value)?.source ?? value, is);
}

/** Returns whether valid parts are diagnosed as well: trials compare which properties are declared. */
function readsAllParts(): boolean {
  return current.diagnosis.readsAll || current.diagnosis.isTrial;
}

/** Diagnoses a property that may be absent or null, and that repairs remove when it is invalid. */
export function optional(value: unknown, diagnose: Diagnose): void {
  field(value, diagnose, Nullable + DefaultOnError);
}

/** Diagnoses a list in a property with flags. */
export function listField(
  value: unknown,
  items: Diagnose | Check,
  flags: number,
  fallback?: () => unknown,
  min = 0,
  max = Infinity,
): void {
  const skip = current.diagnosis.repairs && (flags & SkipInvalidItems) !== 0;
  const diagnose: Diagnose = (found) => list(found, items, min, max, skip);
  field(value, diagnose, flags, fallback, min);
}

/**
 * Diagnoses a property with flags. Applies the decode flags in the order in which the schema's
 * `x-decode` defines them: default for absent values, null, then repair of invalid values.
 *
 * @param fallback returns a new copy of the default
 * @param min for lists, the least number of items; an empty list is used only where it is valid
 */
export function field(
  value: unknown,
  diagnose: Diagnose,
  flags: number,
  fallback?: () => unknown,
  min?: number,
): void {
  const { holder, key, repairs } = current.diagnosis;
  const completes = repairs && fallback !== undefined;
  if (value === undefined) {
    if (completes) holder.change(key, fallback());
    else if (flags & Required) present(value);
    return;
  }
  if (value === null && flags & Nullable) return;
  const mayBeEmpty = min === 0;
  if (value === null && repairs && flags & DefaultOnNull) {
    const empty = min === undefined ? {} : [];
    if (isValid(diagnose, empty)) {
      holder.change(key, empty);
      return current.diagnosis.note("default-on-null", "null counts as empty");
    }
  }
  const isEmptied = mayBeEmpty && !(flags & Nullable);
  const isRepairable = completes || isEmptied || !(flags & Required);
  if (!repairs || !(flags & DefaultOnError) || !isRepairable) return diagnose(value);
  const empty = isEmptied || (mayBeEmpty && value === null) ? [] : undefined;
  repair(value, diagnose, "default-on-error", completes ? fallback() : empty);
}

/** Returns whether a value is valid as it is. */
export function isValid(diagnose: Diagnose, value: unknown): boolean {
  const diagnosis = new Diagnosis("strict", 0);
  diagnosis.run(diagnose, value);
  return diagnosis.failures === 0;
}

/**
 * Diagnoses the value that was read last; replaces or removes it when it is invalid, and reports
 * that. Returns whether it was invalid.
 */
function repair(
  value: unknown,
  diagnose: Diagnose,
  rule: NoteRule,
  replacement?: unknown,
): boolean {
  const { holder, key } = current.diagnosis;
  const errors = current.diagnosis.attempt(diagnose, value);
  if (errors === undefined) return false;
  holder.change(key, replacement);
  current.diagnosis.holder = holder;
  current.diagnosis.key = key;
  const [first] = errors;
  current.diagnosis.note(
    rule,
    first ? `expected ${first.expected} at ${first.pointer}` : "invalid",
  );
  return true;
}
