import { startTimer } from "../../rpc/timer.js";
import { Fifo } from "../../rpc/transports/fifo.js";
import type { NumberedMessage } from "./replay-buffer.js";

/** The size of a piece of a stream, in characters: fewer pieces cost less, larger ones take memory. */
const PIECE = 64 * 1024;

/** The time in which a client that has lost its stream comes back, in milliseconds. */
const AWAY = 5000;

const encoder = new TextEncoder();

/** Comments, which clients ignore: the first one sends the headers through every proxy. */
const OPENED = encoder.encode(": open\n\n");
const ALIVE = encoder.encode(":\n\n");

/** The connection that a queue belongs to. */
export interface QueueOwner {
  readonly keepAliveMs: number;
  /** Called when a message was handed to the reader. */
  sent(queue: EventQueue, message: NumberedMessage): void;
  /** Called when the stream was opened, closed by its client, or closed by the owner. */
  changed(isOpen: boolean): void;
}

/** The messages of one stream that wait for its reader. */
export class EventQueue {
  readonly #owner: QueueOwner;
  #waiting = new Fifo<NumberedMessage>();
  #wake = (): void => {};
  /** Identifies the current reader: a client that lost its stream replaces it. */
  #reader: symbol | undefined;
  #isClosed = false;
  /**
   * When the reader was last behind or gone, as `performance.now()` has it: `-Infinity` when it has
   * asked for more than it was given, and `Infinity` until it does.
   */
  #behind = -Infinity;
  #cut = (): void => {};
  #stopPatience = (): void => {};

  constructor(owner: QueueOwner) {
    this.#owner = owner;
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  /** Whether the client has taken everything; one that has just lost its stream may have not. */
  get isTaken(): boolean {
    return this.#waiting.size === 0 && performance.now() - this.#behind > AWAY;
  }

  push(message: NumberedMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  /** Removes all messages. */
  takeAll(): NumberedMessage[] {
    const all: NumberedMessage[] = [];
    for (let next; (next = this.#waiting.shift()) !== undefined;) all.push(next);
    return all;
  }

  /**
   * Ends the stream behind the messages that wait.
   *
   * @param patience how long the reader may take for them, in milliseconds
   */
  close(patience: number): void {
    this.#isClosed = true;
    this.#wake();
    if (this.isOpen) this.#stopPatience = startTimer(patience, () => this.#cut());
  }

  /**
   * Opens the stream and ends that of an earlier reader.
   *
   * @param again messages that are sent again, before those that wait
   */
  open(again: readonly NumberedMessage[]): ReadableStream<Uint8Array> {
    const own = (this.#reader = Symbol("reader"));
    const waiting = this.takeAll();
    for (const message of [...again, ...waiting]) this.#waiting.push(message);
    this.#wake();
    this.#owner.changed(true);
    let stopBeat = (): void => {};
    let isDone = false;
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      stopBeat();
      this.#stopPatience();
      if (this.#reader === own) {
        this.#reader = undefined;
        this.#behind = Math.max(this.#behind, performance.now());
      }
      this.#owner.changed(false);
    };
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#cut = () => {
            done();
            controller.error(new Error("the client reads nothing"));
          };
          const beat = (sign: Uint8Array): void => {
            if (controller.desiredSize === 0) controller.enqueue(sign);
            stopBeat = startTimer(this.#owner.keepAliveMs, () => beat(ALIVE));
          };
          beat(OPENED);
        },
        pull: async (controller) => {
          if (this.#reader === own) this.#behind = -Infinity;
          while (this.#waiting.size === 0 && this.#reader === own && !this.#isClosed && !isDone)
            await new Promise<void>((resolve) => (this.#wake = resolve));
          if (isDone) return;
          if (this.#reader === own && this.#waiting.size > 0) {
            this.#behind = Infinity;
            return controller.enqueue(encoder.encode(this.#nextPiece()));
          }
          done();
          controller.close();
        },
        cancel: () => {
          done();
          this.#wake();
        },
      },
      // A piece is made when the reader asks for it, so that what was asked for before has left.
      { highWaterMark: 0 },
    );
  }

  #nextPiece(): string {
    let piece = "";
    while (piece.length < PIECE) {
      const message = this.#waiting.shift();
      if (message === undefined) break;
      piece += `id: ${message.number}\ndata: ${message.text}\n\n`;
      this.#owner.sent(this, message);
    }
    return piece;
  }
}
