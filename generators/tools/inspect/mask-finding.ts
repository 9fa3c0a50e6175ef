import { jsonPointer, parsePointer } from "../../schema/problem.js";
import type { Finding, Violation } from "./inspector-api.js";

type Found = Finding | Violation;

/** A message and its masked form. */
export interface MaskedPair {
  readonly original: unknown;
  readonly masked: unknown;
}

/**
 * Returns a finding about a message as it may be shown. Its text is that of the same finding about
 * the masked message; without one, it says that the value is masked.
 *
 * @param pair undefined for a finding about an earlier message
 * @param seen the findings about the masked message
 */
export function maskFinding<F extends Found>(
  found: F,
  pair: MaskedPair | undefined,
  seen: readonly Found[],
): F {
  const { path = "" } = found;
  const place = pair && maskPointer(path, pair);
  const same = seen.find(
    (one) =>
      one.rule === found.rule &&
      lineOf(one) === lineOf(found) &&
      (place === undefined || (one.path ?? "") === place.path),
  );
  const text = same === undefined ? "masked" : same.message;
  return {
    ...found,
    path: place?.path ?? same?.path ?? "",
    message: place?.isMasked === true && !/mask/.test(text) ? `${text} (masked)` : text,
  };
}

function lineOf(found: Found): number | undefined {
  return "line" in found ? found.line : undefined;
}

/** Returns the JSON pointer of the same place in the masked message, and whether its value is another one there. */
function maskPointer(
  pointer: string,
  { original, masked }: MaskedPair,
): { readonly path: string; readonly isMasked: boolean } {
  let [value, other] = [original, masked];
  let isMasked = false;
  const tokens = parsePointer(pointer).map((token) => {
    // A name that the message does not have comes from the schema.
    const index = Object.keys(Object(value)).indexOf(token);
    const name = index < 0 ? token : Object.keys(Object(other))[index]!;
    value = (value as { readonly [key: string]: unknown } | undefined)?.[token];
    other = (other as { readonly [key: string]: unknown } | undefined)?.[name];
    isMasked = name !== token || (typeof value !== "object" && value !== other);
    return name;
  });
  return { path: jsonPointer(tokens), isMasked };
}
