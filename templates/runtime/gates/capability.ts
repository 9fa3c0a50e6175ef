import { isRecord } from "../rpc/messages.js";
import type { MethodGate } from "../methods.js";

/** What each side has said about itself in its initialize message, once it has. */
export interface Advertised {
  agent?: unknown;
  client?: unknown;
}

/**
 * Whether a gate that depends on a capability is open.
 *
 * @param params what the method is called with; without them, a gate with keys is open when any key is advertised
 * @returns the path of the capability that is missing, or nothing when the gate
 *   is open or does not depend on a capability
 */
export function missingCapability(
  gate: MethodGate | undefined,
  advertised: Advertised,
  params?: unknown,
): string | undefined {
  if (gate?.kind !== "capability" && gate?.kind !== "key") return undefined;
  // What a session shows at the moment is known to SessionFacts.
  if (gate.side === "session") return undefined;
  const value = gate.path.reduce(read, advertised[gate.side]);
  const path = gate.path.join(".");
  if (gate.kind === "capability") return isOpen(gate.test, value) ? undefined : path;
  const key = gate.key.split(".").slice(1).reduce(read, params);
  const has = (name: string): boolean => name !== "_meta" && isPresent(read(value, name));
  if (typeof key === "string") return has(key) ? undefined : `${path}.${key}`;
  return Object.keys(isRecord(value) ? value : {}).some(has) ? undefined : path;
}

/** An own property of an object; undefined where there is no object. */
export function read(holder: unknown, name: string): unknown {
  return isRecord(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function isOpen(test: "true" | "filled" | "present", value: unknown): boolean {
  if (test === "true") return value === true;
  return test === "filled" ? Array.isArray(value) && value.length > 0 : isPresent(value);
}

/** Whether a value is there at all. */
export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
