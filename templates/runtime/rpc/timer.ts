/**
 * Runs a function after a delay, unless it is stopped before. The timer does not keep the process
 * alive.
 *
 * @param delay in milliseconds
 * @returns a function that stops the timer
 */
export function startTimer(delay: number, run: () => void): () => void {
  const timer: unknown = setTimeout(run, delay);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
