import { isRecord } from "../rpc/messages.js";

/** What both sides have advertised, each in its own version. */
export interface Handshake {
  /** The capabilities of the client. */
  readonly client: Readonly<Record<string, unknown>>;
  /** The capabilities of the agent. */
  readonly agent: Readonly<Record<string, unknown>>;
}

/** Returns whether a capability is advertised: true, or an object. */
export function capabilityAt(capabilities: unknown, ...path: readonly string[]): boolean {
  let found = capabilities;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found === true || isRecord(found);
}
