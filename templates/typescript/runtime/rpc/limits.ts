/** Limits of a connection. The defaults are far above what a regular peer reaches. */
export interface ConnectionLimits {
  /**
   * The number of unanswered requests of the peer; 4,096 by default. Further requests are
   * answered with -32029 and reach no handler; so are those of a peer that reads none of 64 MiB
   * of answers.
   */
  readonly maxInFlight?: number;
  /** The number of consecutive malformed messages after which the connection is closed; 1,000 by default. */
  readonly maxInvalidInRow?: number;
  /**
   * The time for which a cancelled request may continue, in milliseconds; 30,000 by default. After that, a
   * request of the peer is answered without its handler, and a call of this side is rejected.
   */
  readonly cancelGraceMs?: number;
  /**
   * The time for which requests of the peer may still be answered after its input has ended, in
   * milliseconds; 1,000 by default. After that, their handlers are aborted, and have the same time
   * again until the connection counts as closed.
   */
  readonly endGraceMs?: number;
  /**
   * The time for which a peer may read nothing while more than 1 MiB is unsent, in milliseconds;
   * 60,000 by default. After that, or with 256 MiB unsent, the connection ends. `Infinity` lets it
   * wait, as for a peer that is stopped in a debugger.
   */
  readonly stallMs?: number;
}

export const DEFAULT_LIMITS: Required<ConnectionLimits> = {
  maxInFlight: 4096,
  maxInvalidInRow: 1000,
  cancelGraceMs: 30_000,
  endGraceMs: 1000,
  stallMs: 60_000,
};
