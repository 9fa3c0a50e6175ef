import { MAX_MESSAGE_BYTES } from "../wire.js";

/** What a message takes besides its text, in bytes. */
const ENTRY = 64;

/**
 * Brings the messages of several streams into the order of their numbers: each is delivered once,
 * after those before it.
 */
export class MessageOrder {
  readonly #deliver: (message: unknown) => void;
  readonly #overflow: () => void;
  readonly #held = new Map<number, unknown>();
  #next = 1;
  #length = 0;

  /** @param overflow called when so much waits for an earlier message that there cannot be one */
  constructor(deliver: (message: unknown) => void, overflow: () => void) {
    this.#deliver = deliver;
    this.#overflow = overflow;
  }

  /** @param length that of the text of the message */
  take(number: number, message: unknown, length: number): void {
    // It was sent again.
    if (number < this.#next) return;
    if (number > this.#next) {
      this.#held.set(number, message);
      if ((this.#length += length + ENTRY) > MAX_MESSAGE_BYTES) this.#overflow();
      return;
    }
    this.#next++;
    this.#deliver(message);
    while (this.#held.has(this.#next)) {
      const held = this.#held.get(this.#next);
      this.#held.delete(this.#next++);
      this.#deliver(held);
    }
    if (this.#held.size === 0) this.#length = 0;
  }
}
