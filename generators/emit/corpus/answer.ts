import { canonicalJson } from "../../schema/json-schema/json.js";
import type { DecodeValue } from "../emitter.js";
import type { Case } from "./cases.js";

/** The result of a decoder for one input. */
export interface Answer {
  /** `malformed` for text that is not JSON. */
  readonly verdict: "ok" | "invalid" | "malformed";
  /** The decoded value as canonical JSON (RFC 8785), for `ok`. */
  readonly value?: string;
  /** Pointers and rules of what was repaired or kept, for `ok`; in order. */
  readonly notes?: readonly Report[];
  /** Pointers and rules of the reasons, for `invalid`; in order. */
  readonly issues?: readonly Report[];
}

/** A JSON pointer and a rule. */
export type Report = readonly [pointer: string, rule: string];

/** Returns the answer of a decoder. */
export function answer(decode: DecodeValue, { definition, input }: Case): Answer {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    return { verdict: "malformed" };
  }
  const decoded = decode(definition, value);
  if (!decoded.ok) return { verdict: "invalid", issues: reports(decoded.issues) };
  return {
    verdict: "ok",
    value: canonicalJson(decoded.value),
    notes: reports(decoded.notes),
  };
}

/** Sorts reports, since the order of properties is not the same in all languages. */
function reports(
  list: readonly { readonly pointer: string; readonly rule: string }[],
): readonly Report[] {
  return list
    .map(({ pointer, rule }): Report => [pointer, rule])
    .sort(([a, b], [c, d]) => (a < c || (a === c && b < d) ? -1 : 1));
}
