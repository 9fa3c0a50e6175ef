import { isThenable } from "../rpc/inbound-requests.js";
import { startTimer } from "../rpc/timer.js";
import type { HandledUpdates } from "../session/link.js";
import type { Handler } from "./options/handlers.js";
import { createScope } from "./scope.js";

/** A handler that has started. */
interface Handling {
  readonly sessionId: string;
  /** Its place in the order in which the handlers of a connection have started. */
  readonly number: number;
  hasEnded: boolean;
}

/** The handler that code runs in. */
const scope = createScope<Handling>();

/**
 * The handlers of session updates that have not ended, so that a prompt can wait for them.
 *
 * Only handlers that have started after a prompt was sent are waited for: an earlier one may have
 * sent it.
 */
export class UpdateHandlers implements HandledUpdates {
  readonly #graceMs: number;
  readonly #running = new Map<Handling, Promise<unknown>>();
  #started = 0;

  /** @param graceMs the longest time that a call waits, in milliseconds */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get mark(): number {
    return this.#started;
  }

  /** Runs the handler of an update and returns its result. */
  run(handler: Handler, params: unknown, context: object): unknown {
    const { sessionId } = params as { readonly sessionId: string };
    const handling: Handling = { sessionId, number: ++this.#started, hasEnded: false };
    const handled = scope.run(handling, handler, params, context);
    if (isThenable(handled)) this.#running.set(handling, this.#end(handling, handled));
    else handling.hasEnded = true;
    return handled;
  }

  async #end(handling: Handling, handled: PromiseLike<unknown>): Promise<void> {
    try {
      await handled;
    } catch {
      // Whoever called the handler reports its error.
    } finally {
      handling.hasEnded = true;
      this.#running.delete(handling);
    }
  }

  mayBeInside(sessionId: string, since: number): boolean {
    const current = scope.current();
    if (current !== undefined && !current.hasEnded)
      return current.sessionId === sessionId && current.number > since;
    return !scope.isExact && this.#endsOf(sessionId, since).length > 0;
  }

  ended(sessionId: string, since: number): Promise<void> | undefined {
    const ends = this.#endsOf(sessionId, since);
    if (ends.length === 0) return undefined;
    return new Promise((resolve) => {
      const stop = startTimer(this.#graceMs, resolve);
      void Promise.all(ends).then(() => {
        stop();
        resolve();
      });
    });
  }

  #endsOf(sessionId: string, since: number): Promise<unknown>[] {
    return [...this.#running]
      .filter(([handling]) => handling.sessionId === sessionId && handling.number > since)
      .map(([, end]) => end);
  }
}
