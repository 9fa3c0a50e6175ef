import { afterMicrotasks } from "./after-microtasks.js";
import { Fifo } from "./transports/fifo.js";

/**
 * The number of microtasks, each with input of its own, after which the input is processed in any
 * case: two sides in memory that send to each other without a pause never leave the microtasks.
 */
const MOST_MICROTASKS = 100;

/**
 * Keeps the input behind a response until the caller of the answered call has continued.
 *
 * A promise runs its continuations in microtasks, so that a caller, through any number of
 * functions that await the call, has continued when no microtask is left. Input that follows no
 * response is not queued.
 */
export class WireOrder {
  readonly #input = new Fifo<() => void>();
  #isHeld = false;
  /** Whether a call was settled since the input was last released. */
  #hasSettled = false;
  #isCounting = false;
  #microtasks = 0;

  /** Whether input has to be queued. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Queues input; `process` is called in its turn. */
  queue(process: () => void): void {
    this.#input.push(process);
    if (this.#isCounting) return;
    this.#isCounting = true;
    queueMicrotask(this.#count);
  }

  /** Holds the input that follows, because a call was settled. */
  hold(): void {
    this.#hasSettled = true;
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#microtasks = 0;
    afterMicrotasks(this.#release);
  }

  /** Drops the queued input. */
  close(): void {
    this.#input.clear();
  }

  readonly #count = (): void => {
    this.#isCounting = false;
    if (++this.#microtasks >= MOST_MICROTASKS) this.#release();
  };

  readonly #release = (): void => {
    if (!this.#isHeld) return;
    this.#hasSettled = false;
    try {
      while (this.#input.size > 0 && !this.#hasSettled) this.#input.shift()!();
    } finally {
      this.#isHeld = false;
      // An exception loses no other input.
      if (this.#hasSettled || this.#input.size > 0) this.hold();
    }
  };
}
