import { isRecord } from "../rpc/messages.js";

/** The two sides of the bridge. */
export type Side = "client" | "agent";

export function otherSide(side: Side): Side {
  return side === "client" ? "agent" : "client";
}

/** Returns the session of params; undefined when they have none. */
export function sessionOf(params: unknown): string | undefined {
  const id = isRecord(params) ? params["sessionId"] : undefined;
  return typeof id === "string" ? id : undefined;
}
