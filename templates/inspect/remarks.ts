import type { Decoded, ValidationError } from "../runtime/verdict.js";

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
  /** The errors of a strict look at it. */
  readonly validate: (definition: string, value: unknown) => readonly ValidationError[];
}

/** One list for all that there is nothing to say about. */
const NOTHING: readonly never[] = [];

/**
 * What a lenient receiver finds in a value: errors where it cannot use it; else
 * what it drops, with the reasons inside of that, and what it does not know.
 *
 * @param prefix where the value stands in its message
 */
export function inspectValue(
  { decode, validate }: ValueChecks,
  definition: string,
  value: unknown,
  prefix = "",
): readonly Remark[] {
  const outcome = decode(definition, value);
  if (outcome === undefined) return NOTHING;
  const said = (
    level: Remark["level"],
    { path, rule, expected, found }: ValidationError,
  ): Remark => {
    return { level, rule, path: prefix + path, message: `expected ${expected}, found ${found}` };
  };
  if (!outcome.ok) return outcome.errors.map((error) => said("error", error));
  const { dropped } = outcome;
  if (dropped.length === 0) return NOTHING;
  const isRepair = dropped.some(({ rule }) => rule !== "unknown");
  const errors = isRepair ? validate(definition, value) : NOTHING;
  return dropped.flatMap(({ path, rule, reason }): readonly Remark[] => {
    const whole = { rule, path: prefix + path, message: reason };
    if (rule === "unknown") return [{ level: "note", ...whole }];
    const inside = errors.filter((error) => error.path.startsWith(`${path}/`));
    return [{ level: "warning", ...whole }, ...inside.map((error) => said("warning", error))];
  });
}
