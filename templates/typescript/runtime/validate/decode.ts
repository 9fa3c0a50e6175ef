import type { Check } from "./check.js";
import type { Decoded, DecodeOptions, Issue } from "./decode-result.js";
import { passesFastCheck } from "./fast-checks.js";
import { Walk } from "./walk.js";

/** The empty list that all results share. */
const NONE: readonly never[] = Object.freeze([]);

/**
 * Decodes a value leniently: repairs what the schema marks as repairable and reports each repair
 * in `notes`. The input is never modified; it is returned itself when it needs neither repairs
 * nor defaults.
 */
export function decode<T>(check: Check, value: unknown, options?: DecodeOptions): Decoded<T> {
  const completed = complete(check, value);
  if (completed !== undefined) return { ok: true, value: completed as T, notes: NONE };
  const walk = new Walk(options?.unknown === "reject" ? "reject" : "keep", options?.maxIssues);
  const result = walk.run(check, value) as T;
  if (walk.failures > 0) return { ok: false, issues: walk.issues };
  const { notes } = walk;
  return { ok: true, value: result, notes: notes.length === 0 ? NONE : notes };
}

/** Validates a value strictly and returns the issues; repairable values have issues, too. */
export function validate(check: Check, value: unknown, maxIssues?: number): readonly Issue[] {
  if (passesFastCheck(value, check.is)) return NONE;
  const walk = new Walk("strict", maxIssues);
  walk.run(check, value);
  return walk.issues;
}

/** Returns a value that passes the fast check, or its copy with defaults if that does. */
function complete({ is, complete: insertDefaults }: Check, value: unknown): unknown {
  if (is === undefined) return undefined;
  try {
    if (is(value)) return value;
    const completed = insertDefaults?.(value);
    return insertDefaults !== undefined && is(completed) ? completed : undefined;
  } catch {
    return undefined;
  }
}
