import { startTimer } from "../rpc/timer.js";
import type { HandledUpdates } from "../session/link.js";

interface Handling {
  /** The place of the handler in the order of all that wait for something. */
  readonly number: number;
  /** Resolves when the handler has ended, or is not waited for any more. */
  readonly end: Promise<void>;
  readonly release: () => void;
}

/**
 * The handlers of session updates that have not ended, so that a prompt can wait for them.
 *
 * Only handlers that have started after a prompt was sent are waited for: an earlier one may have
 * sent it. A handler that waits for the turn of its own update is let go by `exempt`.
 */
export class UpdateHandlers implements HandledUpdates {
  readonly #graceMs: number;
  readonly #running = new Map<string, Set<Handling>>();
  #started = 0;

  /** @param graceMs the longest time that a call waits, in milliseconds */
  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get mark(): number {
    return this.#started;
  }

  /** Adds a handler that waits for something. */
  add(sessionId: string, handled: PromiseLike<unknown>): void {
    const running = this.#running.get(sessionId) ?? new Set();
    this.#running.set(sessionId, running);
    let release!: () => void;
    const end = new Promise<void>((resolve) => (release = resolve));
    const handling: Handling = { number: ++this.#started, end, release };
    running.add(handling);
    const finish = (): void => {
      release();
      running.delete(handling);
      if (running.size === 0 && this.#running.get(sessionId) === running)
        this.#running.delete(sessionId);
    };
    handled.then(finish, finish);
  }

  exempt(sessionId: string): void {
    for (const { release } of this.#running.get(sessionId) ?? []) release();
    this.#running.delete(sessionId);
  }

  ended(sessionId: string, since: number): Promise<void> | undefined {
    const awaited = [...(this.#running.get(sessionId) ?? [])].filter(
      ({ number }) => number > since,
    );
    if (awaited.length === 0) return undefined;
    return new Promise((resolve) => {
      const stop = startTimer(this.#graceMs, resolve);
      void Promise.all(awaited.map(({ end }) => end)).then(() => {
        stop();
        resolve();
      });
    });
  }
}
