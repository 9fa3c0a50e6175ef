/** What a connection puts up with. All of it has defaults that no regular peer comes near. */
export interface ConnectionLimits {
  /**
   * How many requests of the peer may be unanswered at one time; 4,096 when absent.
   * Further ones are answered with -32029 and reach no handler.
   */
  readonly maxInFlight?: number;
  /** How many messages in a row may be none at all; 1,000 when absent. The connection is closed then. */
  readonly garbageLimit?: number;
  /**
   * How long a cancelled request may go on, in milliseconds; 30,000 when absent. Then
   * it is answered without its handler; a call of this side is given up.
   */
  readonly cancelGrace?: number;
}

export const DEFAULT_LIMITS: Required<ConnectionLimits> = {
  maxInFlight: 4096,
  garbageLimit: 1000,
  cancelGrace: 30_000,
};
