/** Signals that end a process unless it listens to them. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const hooks = new Set<() => void>();

/**
 * Runs something, which must not wait, when this process ends: regularly, by
 * `process.exit`, an uncaught error, or a signal that nothing else here listens
 * to. Of SIGKILL and crashes of the engine nobody learns.
 *
 * @returns takes it back; without any hook this process has none of our listeners
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
    // What would have happened without us: ended by this signal.
    process.kill(process.pid, signal);
    return;
  }
  // Another listener decides; when it exits, our `exit` listener runs. Some end the process only
  // when they are the only one, so that two of their kind would ignore the signal: step aside.
  process.off(signal, onSignal);
  process.nextTick(() => {
    if (hooks.size > 0) process.prependListener(signal, onSignal);
  });
}

function removeListeners(): void {
  process.off("exit", runHooks);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
