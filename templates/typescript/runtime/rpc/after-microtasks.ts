/** The parts of an engine that run a function when its microtasks are done. */
interface Engine {
  readonly process?: { readonly nextTick?: (run: () => void) => void };
  readonly MessageChannel?: new () => {
    readonly port1: { onmessage: unknown; close(): void };
    readonly port2: { postMessage(message: unknown): void };
  };
}

// Read once, since tests replace the timers of an engine while a connection is open.
const { process, MessageChannel } = globalThis as unknown as Engine;
const nextTick = process?.nextTick;

/**
 * Runs a function when all microtasks are done, those included that they queue.
 *
 * Node.js and engines with its interface run the functions of `nextTick` only when no microtask
 * is left. A browser has a task for it; that of a message channel, unlike that of a timer, is not
 * delayed in a page in the background.
 */
export function afterMicrotasks(run: () => void): void {
  if (nextTick !== undefined) return queueMicrotask(() => nextTick(run));
  if (MessageChannel === undefined) return void setTimeout(run);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    run();
  };
  port2.postMessage(undefined);
}
