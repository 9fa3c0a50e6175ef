/** Why a session ended its work that is idle, and has reported no work since (version 2). */
export interface Rest {
  readonly stopReason: unknown;
}

/** The time in which work begins that a prompt has started, in milliseconds; one without work has ended. */
export const QUIET_TIME = 1000;

interface StateUpdate {
  readonly sessionUpdate?: unknown;
  readonly state?: unknown;
  readonly stopReason?: unknown;
}

/** The updates that only work makes, for agents that do not report it as running. */
const WORK = /^(?:agent|tool_call)_/;

/**
 * Returns what an update leaves of the rest of a session: the same object after an idle state that
 * repeats the last one. It is no completion, unless a prompt waits that turns out to start no work.
 */
export function restAfter(
  rest: Rest | undefined,
  { sessionUpdate, state, stopReason }: StateUpdate,
): Rest | undefined {
  if (sessionUpdate !== "state_update") return WORK.test(String(sessionUpdate)) ? undefined : rest;
  if (state !== "idle") return undefined;
  const isRepeated = rest !== undefined && (stopReason ?? rest.stopReason) === rest.stopReason;
  return isRepeated ? rest : { stopReason };
}
