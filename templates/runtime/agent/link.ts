import type { BoundMethods } from "../session/bound-peer.js";
import type { Report } from "../rpc/inbound-requests.js";

/** The parts of a connection that the sessions of an agent need. */
export interface SessionLink extends BoundMethods {
  readonly peer: NamedPeer;
  readonly report: Report;
  /** The time that cancelled work has to end, in milliseconds. */
  readonly cancelGraceMs: number;
}

/** The other side, as far as methods are called by name. */
export interface NamedPeer {
  request(method: string, params: object, options?: object): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
}
