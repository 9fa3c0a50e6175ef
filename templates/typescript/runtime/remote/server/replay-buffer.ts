import { Fifo } from "../../rpc/transports/fifo.js";

/** A message with its number on the connection. */
export interface NumberedMessage {
  readonly number: number;
  readonly text: string;
}

/** The memory that a kept message takes besides its text, in UTF-16 units. */
const OVERHEAD = 64;

/** Keeps the last messages of a connection that were sent, for clients that lose a stream. */
export class ReplayBuffer<Stream> {
  readonly #limit: number;
  readonly #kept = new Fifo<{ readonly stream: Stream; readonly message: NumberedMessage }>();
  readonly #dropped = new Map<Stream, number>();
  #length = 0;

  /** @param limit in UTF-16 units */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(stream: Stream, message: NumberedMessage): void {
    this.#kept.push({ stream, message });
    this.#length += message.text.length + OVERHEAD;
    while (this.#length > this.#limit) {
      const { stream: of, message: oldest } = this.#kept.shift()!;
      this.#length -= oldest.text.length + OVERHEAD;
      this.#dropped.set(of, oldest.number);
    }
  }

  /**
   * Removes the messages that a stream has sent after one, which need not be its greatest number.
   *
   * @param last the number of that message; 0 for all
   * @returns undefined when some of them are kept no longer
   */
  takeAfter(stream: Stream, last: number): NumberedMessage[] | undefined {
    const own: NumberedMessage[] = [];
    for (let count = this.#kept.size; count > 0; count--) {
      const item = this.#kept.shift()!;
      if (item.stream === stream) own.push(item.message);
      else this.#kept.push(item);
    }
    const place = own.findIndex(({ number }) => number === last);
    const isKnown = place >= 0 || last === (this.#dropped.get(stream) ?? 0);
    const again = isKnown ? own.slice(place + 1) : [];
    // What the client has received is needed no longer.
    for (const { text } of own) this.#length -= text.length + OVERHEAD;
    if (own.length > 0 || last > 0) this.#dropped.set(stream, last);
    return isKnown ? again : undefined;
  }
}
