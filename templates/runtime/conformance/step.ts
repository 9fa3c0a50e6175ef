import type { Incoming } from "../rpc/messages.js";
import type { Session } from "./sessions.js";
import type { Side } from "./transcript.js";

/** A request, from the moment that it is sent. */
export interface Call {
  readonly id: unknown;
  readonly from: Side;
  readonly method: string;
  readonly params: unknown;
  readonly line: number;
  /** Whether its sender took it back with `$/cancel_request`. */
  isWithdrawn: boolean;
  /** Whether `session/cancel` was sent for its session while it was pending. */
  isCancelled: boolean;
  /** Whether `session/close` was sent for its session while it was pending. */
  isClosed: boolean;
  /** Whether the session that it names was not open when it was sent. */
  readonly isLost: boolean;
  /** Whether it asks for an option or a value that its session did not offer when it was sent. */
  readonly isUnfit: boolean;
  /** Whether the agent told of a new message of the user while this was the only prompt. */
  isInserted: boolean;
}

/** One message of the transcript, or its end. */
export interface Step {
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
  readonly session: Session | undefined;
  /** The kind of a session update. */
  readonly update: string;
}
