import { Fifo } from "../rpc/transports/fifo.js";

/** The updates of a turn for one loop; they wait until the loop reads them. */
export class UpdateQueue<Update> implements AsyncIterator<Update, undefined> {
  readonly #updates = new Fifo<Update>();
  readonly #leave: () => void;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param leave called when the loop is left before the end */
  constructor(leave: () => void) {
    this.#leave = leave;
  }

  push(update: Update): void {
    this.#updates.push(update);
    this.#wake?.();
  }

  /** Ends the loop after the updates that it has not read; with an error, the loop then throws it. */
  end(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Update, undefined>> {
    while (this.#updates.size === 0) {
      if (this.#end !== undefined) {
        const { error } = this.#end;
        this.#end = {};
        if (error !== undefined) throw error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return { done: false, value: this.#updates.shift()! };
  }

  return(): Promise<IteratorResult<Update, undefined>> {
    this.#updates.clear();
    this.#end = {};
    this.#leave();
    return Promise.resolve({ done: true, value: undefined });
  }
}
