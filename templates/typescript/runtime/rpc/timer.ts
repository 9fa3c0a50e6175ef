/** The longest delay of a timer, in milliseconds; a longer one would end at once. */
const LONGEST_DELAY = 2 ** 31 - 1;

/**
 * Runs a function after a delay, unless it is stopped before.
 *
 * @param delay in milliseconds; the function never runs after more than 2^31 - 1, and `Infinity`
 * @param keepsAlive whether the timer keeps the process alive
 * @returns a function that stops the timer
 */
export function startTimer(delay: number, run: () => void, keepsAlive = false): () => void {
  if (delay > LONGEST_DELAY) return () => {};
  const timer: unknown = setTimeout(run, delay);
  if (!keepsAlive) (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
