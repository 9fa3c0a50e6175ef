import type { Decoded, DecodeOptions, ValidationError, Validator } from "./decode-result.js";
import { Walk, type Check } from "./diagnosis.js";

/** What nothing was dropped from: one list for all. */
const NOTHING: readonly never[] = Object.freeze([]);

/**
 * Decodes a value as a lenient receiver must: it repairs what the schema marks
 * as repairable and says what it did. The input is never changed; it is
 * returned itself when nothing has to be repaired or completed.
 */
export function decode<T>(check: Check, value: unknown, options?: DecodeOptions): Decoded<T> {
  if (passes(check, value)) return { ok: true, value: value as T, dropped: NOTHING };
  const walk = new Walk(options?.unknown === "reject" ? "reject" : "keep", options?.maxErrors);
  const result = walk.run(check.look, value) as T;
  if (walk.failures > 0) return { ok: false, errors: walk.errors };
  const { dropped } = walk;
  return { ok: true, value: result, dropped: dropped.length === 0 ? NOTHING : dropped };
}

/** Checks a value strictly: what the schema marks as repairable counts as wrong. */
export function validate(
  check: Check,
  value: unknown,
  maxErrors?: number,
): readonly ValidationError[] {
  if (passes(check, value)) return NOTHING;
  const walk = new Walk("strict", maxErrors);
  walk.run(check.look, value);
  return walk.errors;
}

/** A strict check as a function of its own. */
export function validator<T>(check: Check): Validator<T> {
  const validator = (value: unknown): value is T => {
    validator.errors = validate(check, value);
    return validator.errors.length === 0;
  };
  validator.errors = NOTHING as readonly ValidationError[];
  return validator;
}

/** Values nested without end may overflow the first look; the second counts. */
function passes(check: Check, value: unknown): boolean {
  try {
    return check.is(value);
  } catch {
    return false;
  }
}
