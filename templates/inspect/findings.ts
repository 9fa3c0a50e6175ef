import type { Decoded } from "../runtime/validate/decode-result.js";

/** An error, warning or note about a message. A note is informative only. */
export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly rule: string;
  /** JSON pointer (RFC 6901) into the message. */
  readonly path: string;
  readonly message: string;
}

/** The decoders of a profile, by definition. */
export interface ValueChecks {
  /** Decodes a value as a definition; undefined for one that the profile does not have. */
  readonly decode: (definition: string, value: unknown) => Decoded<unknown> | undefined;
}

/** Shared by all values without findings. */
const NOTHING: readonly never[] = [];

/**
 * Returns the findings of a lenient receiver: errors for a value that it cannot
 * use, otherwise a warning for each part that it drops and a note for each
 * unknown part.
 *
 * @param prefix JSON pointer of the value in its message
 */
export function inspectValue(
  { decode }: ValueChecks,
  definition: string,
  value: unknown,
  prefix = "",
): readonly Finding[] {
  const outcome = decode(definition, value);
  if (outcome === undefined) return NOTHING;
  if (!outcome.ok)
    return outcome.issues.map(({ pointer, rule, expected, found }) => ({
      level: "error",
      rule,
      path: prefix + pointer,
      message: `expected ${expected}, found ${found}`,
    }));
  if (outcome.notes.length === 0) return NOTHING;
  return outcome.notes.map(({ pointer, rule, reason }) => ({
    level: rule === "unknown" ? "note" : "warning",
    rule,
    path: prefix + pointer,
    message: reason,
  }));
}
