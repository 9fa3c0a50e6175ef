/**
 * Brings the messages of several streams into the order of their numbers: each is delivered once,
 * after those before it.
 */
export class MessageOrder {
  readonly #deliver: (message: unknown) => void;
  #next = 1;
  readonly #held = new Map<number, unknown>();

  constructor(deliver: (message: unknown) => void) {
    this.#deliver = deliver;
  }

  /** Returns whether messages wait for an earlier one. */
  get isWaiting(): boolean {
    return this.#held.size > 0;
  }

  take(number: number, message: unknown): void {
    // It was sent again.
    if (number < this.#next) return;
    if (number > this.#next) return void this.#held.set(number, message);
    this.#next++;
    this.#deliver(message);
    while (this.#held.has(this.#next)) {
      const held = this.#held.get(this.#next);
      this.#held.delete(this.#next++);
      this.#deliver(held);
    }
  }
}
