import { setImmediate as turn } from "node:timers/promises";

/** Tasks of runs that are under way. */
const tasks = new Set<() => void>();

/**
 * Registers a task that tidies up when the process is about to be ended by a signal.
 *
 * @returns a function that removes the task
 */
export function onShutdown(task: () => void): () => void {
  tasks.add(task);
  return () => void tasks.delete(task);
}

/** Runs every registered task. */
export function runShutdownTasks(): void {
  for (const task of tasks) task();
}

/**
 * Lets handlers of signals run that arrived during long synchronous work. It takes
 * two turns of the event loop, which polls for signals between them.
 */
export async function yieldToSignals(): Promise<void> {
  await turn();
  await turn();
}
