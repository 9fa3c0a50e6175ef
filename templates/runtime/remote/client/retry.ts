import { onAbort } from "../../rpc/on-abort.js";

/** The shortest and the longest delay between two attempts, in milliseconds. */
const FIRST_DELAY = 100;
const LAST_DELAY = 5000;

/** The attempts to reach a server again. */
export interface Retry {
  /**
   * Waits for the next attempt, each time longer, and for a random part of it, so that the clients
   * of a server that was restarted do not come at once.
   *
   * @returns whether there is a further attempt
   */
  wait(): Promise<boolean>;
  /** Called when an attempt has succeeded: the limit counts from the next failure on. */
  succeeded(): void;
  /** Called when the server has sent something: the next delay is short again. */
  progressed(): void;
}

/**
 * @param limit the time from the first failure to the last attempt, in milliseconds
 * @param signal ends the attempts
 */
export function createRetry(limit: number, signal: AbortSignal): Retry {
  let delay = FIRST_DELAY;
  let deadline: number | undefined;
  return {
    wait: async () => {
      deadline ??= Date.now() + limit;
      const time = delay * (0.5 + Math.random() / 2);
      delay = Math.min(delay * 2, LAST_DELAY);
      if (signal.aborted || Date.now() + time > deadline) return false;
      await sleep(time, signal);
      return !signal.aborted;
    },
    succeeded: () => void (deadline = undefined),
    progressed: () => void (delay = FIRST_DELAY),
  };
}

function sleep(time: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      remove();
      resolve();
    };
    const timer = setTimeout(done, time);
    const remove = onAbort(signal, done);
  });
}
