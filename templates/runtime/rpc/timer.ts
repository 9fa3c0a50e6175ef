/**
 * Runs something later, unless it is stopped before. Waiting for it does not keep
 * a process alive.
 *
 * @param delay in milliseconds
 * @returns stops it
 */
export function startTimer(delay: number, run: () => void): () => void {
  const timer: unknown = setTimeout(run, delay);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer as number);
}
