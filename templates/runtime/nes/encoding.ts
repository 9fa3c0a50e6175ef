/**
 * The unit in which the `character` of a position is counted: bytes (`utf-8`),
 * code units (`utf-16`) or code points (`utf-32`).
 */
export type PositionEncoding = "utf-8" | "utf-16" | "utf-32";

/** The two places where a client can say which encodings it can handle. */
export interface PositionEncodingOffer {
  readonly positionEncodings?: readonly PositionEncoding[];
  readonly general?: { readonly positionEncodings?: readonly PositionEncoding[] } | null;
}

/** What every client and agent supports, and what holds where nothing is agreed. */
const DEFAULT: PositionEncoding = "utf-16";

/**
 * Reads the offer out of the client's capabilities. The `positionEncodings` of the
 * shipped protocol wins over the `general.positionEncodings` of the proposal, also
 * when it is empty.
 */
export function offeredPositionEncodings(
  client: PositionEncodingOffer | null | undefined,
): readonly PositionEncoding[] {
  return client?.positionEncodings ?? client?.general?.positionEncodings ?? [];
}

/**
 * The agent's choice: the first encoding of the client's list that the agent
 * supports, `utf-16` if there is none.
 *
 * The proposal `next-edit-suggestions`, "Position encoding": the client lists what it
 * supports "in order of preference", "the agent selects one from the client's list",
 * `utf-16` "is the default and must be supported by all clients and agents".
 *
 * The agent declares the result as `positionEncoding` if the client offered it. If
 * the client did not, the result is `utf-16`, and the agent declares nothing.
 *
 * @param offered the client's list, the preferred one first; see `offeredPositionEncodings`
 * @param supported what the agent supports, in any order; `utf-16` always counts as supported
 */
export function choosePositionEncoding(
  offered: readonly PositionEncoding[] | null | undefined,
  supported: readonly PositionEncoding[],
): PositionEncoding {
  return (
    offered?.find((encoding) => encoding === DEFAULT || supported.includes(encoding)) ?? DEFAULT
  );
}

/**
 * What holds on the connection once the agent has answered `initialize`: the encoding
 * that it declared. "If the client omits `positionEncodings`, or the agent omits
 * `positionEncoding` in its response, both sides default to `utf-16`" (same section).
 *
 * @param offered what the client offered
 * @param declared `positionEncoding` of the agent's capabilities
 * @throws RangeError if the client made an offer and the agent declared something else:
 *   the two would count differently, and edits would land in the wrong place
 */
export function agreedPositionEncoding(
  offered: readonly PositionEncoding[] | null | undefined,
  declared: PositionEncoding | null | undefined,
): PositionEncoding {
  if (!offered?.length || !declared || declared === DEFAULT) return DEFAULT;
  if (offered.includes(declared)) return declared;
  throw new RangeError(
    `the agent counts positions in ${declared}, the client offered ${offered.join(", ")}`,
  );
}
