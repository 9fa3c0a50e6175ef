import type { Incoming } from "../rpc/messages.js";
import type { Call } from "./call.js";
import type { ObservedSession } from "./sessions.js";
import type { Side } from "./transcript.js";

/** One message of the transcript, or its end. */
export interface TranscriptStep {
  readonly line: number;
  readonly from: Side;
  readonly message: unknown;
  readonly incoming: Incoming;
  readonly kind: "request" | "notification" | "result" | "error" | "other" | "end";
  /** The id of a request or a response. */
  readonly id: unknown;
  /** The method of a request or notification; of a response, that of its request. */
  readonly method: string;
  /** The params of a request or notification; of a response, those of its request. */
  readonly params: unknown;
  readonly result: unknown;
  /** The request that a response answers, where it is pending. */
  readonly call: Call | undefined;
  /** The session that the params name. */
  readonly sessionId: string | undefined;
  readonly session: ObservedSession | undefined;
  /** The kind of a session update. */
  readonly update: string;
}
