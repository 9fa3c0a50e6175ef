import { setImmediate as turn } from "node:timers/promises";

/** What is to be tidied up when the process is told to stop. */
const tasks = new Set<() => void>();

/** Exit codes by signal, as shells count them: 128 and the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Remembers something to tidy up if the process is told to stop.
 *
 * @returns forgets it again
 */
export function onShutdown(task: () => void): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/**
 * Gives signals that came during long work their turn. It takes two: the event
 * loop looks for signals between them, not before the first.
 */
export async function hearSignals(): Promise<void> {
  await turn();
  await turn();
}

/**
 * Makes SIGINT, SIGTERM and SIGHUP tidy up and end the process with 130, 143
 * and 129. Files are moved without a pause, so a signal comes before or after, never between.
 */
export function handleSignals(): void {
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      for (const task of tasks) task();
      process.exit(code);
    });
  }
}
