import { HttpError } from "./http-error.js";
import { untilAbort } from "./read-pieces.js";

/** The shortest and the longest delay between two attempts, in milliseconds. */
const FIRST_DELAY = 100;
const LAST_DELAY = 5000;

/** Statuses of lost connections, proxies and busy servers, after which a request is sent again. */
const PASSING: readonly number[] = [0, 429, 502, 503, 504];

/** The attempts to reach a server again. */
export interface Retry {
  /**
   * Waits for the next attempt, each time longer, and for a random part of it, so that the clients
   * of a server that was restarted do not come at once.
   *
   * @param problem the last failure: what the server asks for with `Retry-After` is waited at least
   * @returns whether there is a further attempt
   */
  wait(problem?: unknown): Promise<boolean>;
  /**
   * Makes attempts until one succeeds or is refused for good.
   *
   * @param canRepeat whether there may be a further attempt
   * @throws the error of the last attempt
   */
  run<T>(attempt: () => Promise<T>, canRepeat?: () => boolean): Promise<T>;
  /** Returns how long the next attempt may wait for the server, in milliseconds, and `most` at most. */
  limit(most: number): number;
  /**
   * Called when the server has sent something: the limit counts from the next failure on.
   *
   * @param isMessage whether it was more than a sign of life: then the next delay is short again
   */
  reset(isMessage: boolean): void;
}

/**
 * @param limit the time from the first failure to the last attempt, in milliseconds
 * @param signal ends the attempts
 */
export function createRetry(limit: number, signal: AbortSignal): Retry {
  let delay = FIRST_DELAY;
  let deadline: number | undefined;
  const retry: Retry = {
    wait: async (problem) => {
      deadline ??= performance.now() + limit;
      const asked = problem instanceof HttpError ? problem.retryAfterMs : 0;
      const time = Math.max(asked, delay * (0.5 + Math.random() / 2));
      delay = Math.min(delay * 2, LAST_DELAY);
      if (signal.aborted || performance.now() + time > deadline) return false;
      await new Promise<void>((resolve) => untilAbort(signal, time, resolve));
      return !signal.aborted;
    },
    run: async (attempt, canRepeat = () => true) => {
      for (;;) {
        try {
          return await attempt();
        } catch (error) {
          const isPassing = error instanceof HttpError && PASSING.includes(error.status);
          if (!isPassing || !canRepeat() || !(await retry.wait(error))) throw error;
        }
      }
    },
    limit: (most) => Math.min(most, (deadline ?? Infinity) - performance.now()),
    reset: (isMessage) => {
      deadline = undefined;
      if (isMessage) delay = FIRST_DELAY;
    },
  };
  return retry;
}
