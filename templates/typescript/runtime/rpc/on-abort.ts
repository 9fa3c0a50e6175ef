interface Listeners {
  readonly runs: Set<() => void>;
  readonly fire: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Runs a function when a signal is aborted. All functions share one listener of the signal, since
 * Node.js warns of a leak when a signal has more than ten, e.g. for concurrent calls of a handler.
 *
 * @returns a function that removes it
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const { runs, fire } = listenersOf.get(signal) ?? listen(signal);
  runs.add(run);
  return () => {
    runs.delete(run);
    if (runs.size > 0) return;
    signal.removeEventListener("abort", fire);
    listenersOf.delete(signal);
  };
}

function listen(signal: AbortSignal): Listeners {
  const runs = new Set<() => void>();
  const fire = (): void => {
    for (const run of [...runs]) run();
  };
  const listeners = { runs, fire };
  signal.addEventListener("abort", fire, { once: true });
  listenersOf.set(signal, listeners);
  return listeners;
}
