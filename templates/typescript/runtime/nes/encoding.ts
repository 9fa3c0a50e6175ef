/**
 * The unit in which the `character` of a position is counted: bytes (`utf-8`),
 * code units (`utf-16`) or code points (`utf-32`).
 */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** The two properties in which a client can list its supported encodings; a received list may contain others. */
export interface PositionEncodingOffer {
  readonly positionEncodings?: readonly string[] | undefined;
  readonly general?:
    { readonly positionEncodings?: readonly string[] | undefined } | null | undefined;
}

/** The encoding that every client and agent supports, and that applies without an agreement. */
const DEFAULT: PositionEncoding = "utf-16";

/**
 * Returns the encodings that the client's capabilities offer. `positionEncodings` of the
 * published protocol takes precedence over `general.positionEncodings` of the proposal, even when
 * it is empty.
 */
export function offeredPositionEncodings(
  client: PositionEncodingOffer | null | undefined,
): readonly string[] {
  return client?.positionEncodings ?? client?.general?.positionEncodings ?? [];
}

/**
 * Returns the agent's choice: the first encoding of the client's list that the agent supports, or
 * `utf-16`.
 *
 * The proposal `next-edit-suggestions`, "Position encoding": the client lists what it supports
 * "in order of preference", "the agent selects one from the client's list", `utf-16` "is the
 * default and must be supported by all clients and agents".
 *
 * The agent declares the result as `positionEncoding` if the client offered it. If the client did
 * not, the result is `utf-16`, and the agent declares no encoding.
 *
 * @param offered the client's list, in order of preference; see `offeredPositionEncodings`
 * @param supported the encodings that the agent supports, in any order; `utf-16` is always
 *   supported
 */
export function choosePositionEncoding(
  offered: readonly string[] | null | undefined,
  supported: readonly PositionEncoding[],
): PositionEncoding {
  const isSupported = (encoding: string): encoding is PositionEncoding =>
    encoding === DEFAULT || supported.some((other) => other === encoding);
  return offered?.find(isSupported) ?? DEFAULT;
}

/**
 * Returns the encoding of the connection once the agent has answered `initialize`: the one that
 * it declared. "If the client omits `positionEncodings`, or the agent omits `positionEncoding` in
 * its response, both sides default to `utf-16`" (same section).
 *
 * @param offered the encodings that the client offered
 * @param declared `positionEncoding` of the agent's capabilities
 * @throws RangeError if the client made an offer and the agent declared another encoding: the two
 *   would count differently, and edits would be applied at wrong positions
 */
export function agreedPositionEncoding(
  offered: readonly string[] | null | undefined,
  declared: PositionEncoding | null | undefined,
): PositionEncoding {
  if (!offered?.length || !declared || declared === DEFAULT) return DEFAULT;
  if (offered.includes(declared)) return declared;
  throw new RangeError(
    `the agent counts positions in ${declared}, the client offered ${offered.join(", ")}`,
  );
}
