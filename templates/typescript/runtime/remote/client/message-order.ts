import { MAX_MESSAGE_BYTES } from "../wire.js";

/** What a message takes besides its text, in bytes. */
const ENTRY = 64;

/**
 * Brings the messages of several streams into the order of their numbers: each is delivered once,
 * after those before it.
 */
export class MessageOrder {
  readonly #overflow: () => void;
  readonly #held = new Map<number, () => void>();
  #next = 1;
  #length = 0;

  /** @param overflow called when so much waits for an earlier message that there cannot be one */
  constructor(overflow: () => void) {
    this.#overflow = overflow;
  }

  /**
   * @param deliver called in the turn of the message
   * @param length that of the text of the message
   */
  take(number: number, deliver: () => void, length: number): void {
    // It was sent again.
    if (number < this.#next) return;
    this.#held.set(number, deliver);
    if (number > this.#next) {
      if ((this.#length += length + ENTRY) > MAX_MESSAGE_BYTES) this.#overflow();
      return;
    }
    for (let next; (next = this.#held.get(this.#next)) !== undefined;) {
      this.#held.delete(this.#next++);
      next();
    }
    if (this.#held.size === 0) this.#length = 0;
  }
}
