import { runShutdownTasks } from "../run/cleanup.js";

/** Exit codes by signal, as in shells: 128 plus the number of the signal. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const listeners = new Map<NodeJS.Signals, () => void>();

/**
 * Makes SIGINT, SIGTERM and SIGHUP tidy up and end the process. Files are moved
 * synchronously, so a signal is handled before or after, never in between.
 */
export function handleSignals(): void {
  for (const [signal, code] of Object.entries(EXIT_CODES)) {
    const end = (): void => {
      runShutdownTasks();
      process.exit(code);
    };
    listeners.set(signal as NodeJS.Signals, end);
    process.once(signal, end);
  }
}

/** Signals that a program may use; Windows has none, and a terminal sends Ctrl-C to all of its programs. */
const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/** Gives the signals of this process to a function, instead of ending it. */
export function forwardSignals(take: (signal: NodeJS.Signals) => void): void {
  stopHandling();
  const isWindows = process.platform === "win32";
  // A terminal sends Ctrl-C to the whole group, which the program is a member of.
  const isShared = isWindows || process.stdin.isTTY || process.stderr.isTTY;
  for (const signal of FORWARDED)
    if (!isWindows || signal === "SIGINT" || signal === "SIGHUP")
      process.on(signal, () => {
        if (!isShared || signal !== "SIGINT") take(signal);
      });
}

/** Ends this process by a signal, as another program has ended. */
export function endBySignal(signal: NodeJS.Signals): void {
  stopHandling();
  for (const name of FORWARDED) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

function stopHandling(): void {
  for (const [signal, listener] of listeners) process.off(signal, listener);
}
