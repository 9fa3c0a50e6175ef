import type { MethodDescriptor } from "../methods.js";
import { isRecord } from "../rpc/messages.js";
import { decode } from "../validate/decode.js";
import type { Decoded, Note } from "../validate/decode-result.js";
import type { Check } from "../validate/check.js";

/**
 * Decodes a result that is `null` or absent, or that lacks the members which its absence implies
 * (`impliedResult` of its method). An agent that answers a request with a result has carried it
 * out, so the call must not fail if a default lets the program continue. There is none for a new
 * session, nor for the configuration options after one was set.
 *
 * Agents answer requests without required members of the result with `null`, as examples of the
 * protocol's documentation did for `session/load` and `fs/write_text_file`.
 *
 * @returns the value, with a note; undefined when that does not make the result valid
 */
export function decodeEmptyResult(
  { impliedResult }: MethodDescriptor,
  check: Check,
  value: unknown,
): Decoded<unknown> | undefined {
  const given = value ?? {};
  if (!isRecord(given)) return undefined;
  for (const implied of value === given ? [impliedResult] : [{}, impliedResult]) {
    if (implied === undefined) continue;
    const decoded = decode(check, { ...implied, ...given });
    if (!decoded.ok) continue;
    const names = Object.keys(implied).join(", ");
    const note: Note = {
      kind: "repaired",
      pointer: "",
      rule: "empty-result",
      reason: names === "" ? "null stands for an empty result" : `${names} was absent`,
    };
    return { ...decoded, notes: [note, ...decoded.notes] };
  }
  return undefined;
}
