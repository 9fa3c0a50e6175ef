import type { Side } from "./transcript.js";

/** A request that was sent. */
export interface Call {
  readonly id: unknown;
  readonly from: Side;
  readonly method: string;
  readonly params: unknown;
  readonly line: number;
  /** Whether its sender withdrew it with `$/cancel_request`. */
  isWithdrawn: boolean;
  /**
   * Whether `session/cancel` was sent for its session while it was pending; for a request of the
   * agent also before it, in the same turn.
   */
  isCancelled: boolean;
  /** Whether `session/close` was sent for its session while it was pending. */
  isClosed: boolean;
  /** Whether the session that it names was not open when it was sent. */
  readonly isLost: boolean;
  /** Whether it refers to an option or a value that its session did not offer when it was sent. */
  readonly isInvalidOption: boolean;
  /** Whether the agent reported a new message of the user while this was the only prompt. */
  isInserted: boolean;
  /** The beginning of the text of a prompt; absent for other requests. */
  readonly text?: string;
  /** Whether the agent sent a prompt back as a message of the user. */
  isEchoed: boolean;
}
