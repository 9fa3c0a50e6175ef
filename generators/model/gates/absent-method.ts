import type { Method } from "../protocol.js";

/**
 * Returns whether the function that calls a method is absent until its side advertises a capability.
 * A capability of the caller does not make the function absent: whoever wrote the call knows it.
 */
export function isAbsentWithoutCapability({ gate, side }: Method): boolean {
  return (gate?.kind === "capability" || gate?.kind === "key") && gate.side === side;
}
