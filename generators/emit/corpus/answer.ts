import type { Codec, CodecReport } from "../inputs.js";
import type { CorpusCase } from "./cases.js";

/**
 * What a codec does with a text: `decode` it leniently, as a receiver does; `validate` it strictly;
 * or `encode` the value that it shows, as a sender does with a value that a program has made.
 */
export type Operation = "decode" | "validate" | "encode";

export const OPERATIONS: readonly Operation[] = ["decode", "validate", "encode"];

/** The result of a codec for one input. */
export interface CodecAnswer {
  /** `malformed` for text that is not JSON. */
  readonly verdict: "ok" | "invalid" | "malformed";
  /** The decoded value, or the one to send, for `ok` unless it is only validated. */
  readonly value?: unknown;
  /** Pointers and rules of what was repaired or kept, for `ok` of a decode; sorted. */
  readonly notes?: readonly CorpusReport[];
  /** Pointers and rules of the reasons, for `invalid`; sorted. */
  readonly issues?: readonly CorpusReport[];
}

/** A JSON pointer and a rule. */
export type CorpusReport = readonly [pointer: string, rule: string];

/** Returns the answer of a codec. */
export function codecAnswer(
  codec: Codec,
  op: Operation,
  { definition, input }: CorpusCase,
): CodecAnswer {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  if (op !== "decode") {
    const issues = codec[op === "validate" ? "validate" : "refuse"](definition, value);
    if (issues.length > 0) return { verdict: "invalid", issues: reports(issues) };
    return { verdict: "ok", ...(op === "encode" && { value }) };
  }
  const decoded = codec.decode(definition, value);
  if (!decoded.ok) return { verdict: "invalid", issues: reports(decoded.issues) };
  return { verdict: "ok", value: decoded.value, notes: reports(decoded.notes) };
}

function reports(list: readonly CodecReport[]): readonly CorpusReport[] {
  return sortReports(list.map(({ pointer, rule }): CorpusReport => [pointer, rule]));
}

/** Sorts reports by pointer, then rule, since the order of properties is not the same in all languages. */
export function sortReports(list: readonly CorpusReport[]): readonly CorpusReport[] {
  return [...list].sort(([a, b], [c, d]) =>
    a < c || (a === c && b < d) ? -1 : a === c && b === d ? 0 : 1,
  );
}
