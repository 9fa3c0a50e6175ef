import { AcpError } from "../acp-error.js";
import * as sentences from "../sentences.js";
import { startTimer } from "./timer.js";

/** The amount of unsent data above which the other side has to read, in bytes. */
const STALL_BYTES = 1024 * 1024;
/** The amount of answers above which further requests are refused if none of it is read, in bytes. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;
/** The amount of unsent data that ends the connection, in bytes. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * What the other side has not read yet. Nobody stops reading because of its own output: two sides
 * that both did would wait for each other forever. Instead, senders wait, a side that reads none
 * of its answers gets no more of them, and the connection to one that reads nothing ends.
 */
export class Backlog {
  readonly #unsent: () => number;
  readonly #stallMs: number;
  readonly #end: (reason: Error) => void;
  /** The bytes that were ever added. */
  #added = 0;
  /** The bytes that were ever taken when the last message was added. */
  #taken = 0;
  /** The bytes of answers that were added since the other side has taken something. */
  #answers = 0;
  #stopTimer: (() => void) | undefined;

  /**
   * @param unsent returns the number of bytes that the other side has not taken
   * @param stallMs how long the other side may take nothing, in milliseconds; `Infinity` for ever
   * @param end called once it has taken nothing for that time, or too much is unsent
   */
  constructor(unsent: () => number, stallMs: number, end: (reason: Error) => void) {
    this.#unsent = unsent;
    this.#stallMs = stallMs;
    this.#end = end;
  }

  get size(): number {
    return this.#unsent();
  }

  /** Whether the other side reads so little of its answers that its requests are refused. */
  get isFull(): boolean {
    return this.#answers > MOST_ANSWER_BYTES && !this.#hasAdvanced();
  }

  /** Adds the size of a message that could not be sent at once, in bytes. */
  add(size: number, isAnswer: boolean): void {
    this.#added += size;
    if (this.#hasAdvanced()) this.#answers = 0;
    if (isAnswer) this.#answers += size;
    this.#taken = this.#countTaken();
    if (this.#stallMs === Infinity) return;
    const unsent = this.#unsent();
    if (unsent > MOST_BYTES) this.#end(new AcpError(sentences.notRead(shown(unsent))));
    else this.#watch();
  }

  /** Stops watching. */
  close(): void {
    this.#stopTimer?.();
  }

  #countTaken(): number {
    return this.#added - this.#unsent();
  }

  #hasAdvanced(): boolean {
    return this.#countTaken() !== this.#taken;
  }

  #watch(): void {
    if (this.#stopTimer !== undefined) return;
    const taken = this.#countTaken();
    this.#stopTimer = startTimer(this.#stallMs, () => {
      this.#stopTimer = undefined;
      const unsent = this.#unsent();
      if (unsent <= STALL_BYTES) return;
      if (this.#countTaken() !== taken) return this.#watch();
      const seconds = this.#stallMs / 1000;
      this.#end(new AcpError(sentences.stalled(`${seconds} s`, shown(unsent))));
    });
  }
}

function shown(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
