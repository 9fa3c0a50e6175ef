import type { Decoded } from "../runtime/validate/decode-result.js";

/** Something to say about a message. A note is no objection. */
export interface Remark {
  readonly level: "error" | "warning" | "note";
  readonly rule: string;
  /** JSON pointer (RFC 6901) into the message. */
  readonly path: string;
  readonly message: string;
}

/** What values of a profile's definitions are looked at with. */
export interface ValueChecks {
  /** Decodes a value as a definition; undefined for one that the profile does not have. */
  readonly decode: (definition: string, value: unknown) => Decoded<unknown> | undefined;
}

/** One list for all that there is nothing to say about. */
const NOTHING: readonly never[] = [];

/**
 * What a lenient receiver finds in a value: errors where it cannot use it; else
 * what it drops and why, and what it does not know.
 *
 * @param prefix where the value stands in its message
 */
export function inspectValue(
  { decode }: ValueChecks,
  definition: string,
  value: unknown,
  prefix = "",
): readonly Remark[] {
  const outcome = decode(definition, value);
  if (outcome === undefined) return NOTHING;
  if (!outcome.ok)
    return outcome.errors.map(({ path, rule, expected, found }) => ({
      level: "error",
      rule,
      path: prefix + path,
      message: `expected ${expected}, found ${found}`,
    }));
  if (outcome.dropped.length === 0) return NOTHING;
  return outcome.dropped.map(({ path, rule, reason }) => ({
    level: rule === "unknown" ? "note" : "warning",
    rule,
    path: prefix + path,
    message: reason,
  }));
}
