/** Signals that end a process without listeners for them. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const hooks = new Set<() => void>();

/**
 * Runs a synchronous function when this process ends: regularly, by `process.exit`, by an
 * uncaught error, or by a signal without other listeners. SIGKILL and crashes of the engine are
 * not detected.
 *
 * @returns removes the hook; the last one also removes the listeners of this module
 */
export function onProcessExit(hook: () => void): () => void {
  if (hooks.size === 0) {
    process.on("exit", runHooks);
    for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  }
  hooks.add(hook);
  return () => {
    if (hooks.delete(hook) && hooks.size === 0) removeListeners();
  };
}

function runHooks(): void {
  for (const hook of hooks) hook();
}

function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) {
    runHooks();
    removeListeners();
    // Restores the default: the signal ends the process.
    process.kill(process.pid, signal);
    return;
  }
  // Another listener decides; when it exits, the `exit` listener runs the hooks. Some listeners
  // end the process only when they are the only one, and two of that kind would ignore the
  // signal, so this listener is removed for the current tick.
  process.off(signal, onSignal);
  process.nextTick(() => {
    if (hooks.size > 0) process.prependListener(signal, onSignal);
  });
}

function removeListeners(): void {
  process.off("exit", runHooks);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
