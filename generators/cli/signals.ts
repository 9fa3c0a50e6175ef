import { runShutdownTasks } from "../run/generate/cleanup.js";

/** Exit codes by signal, as in shells: 128 plus the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Makes SIGINT, SIGTERM and SIGHUP tidy up and end the process. Files are moved
 * synchronously, so a signal is handled before or after, never in between.
 */
export function handleSignals(): void {
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    process.once(signal, () => {
      runShutdownTasks();
      process.exit(code);
    });
  }
}
