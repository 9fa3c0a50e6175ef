import { Fifo } from "./fifo.js";
import { copyAsJson } from "./copy-as-json.js";
import { AcpError } from "../../acp-error.js";

/** Receives what a transport delivers, in wire order. */
export interface TransportReceiver {
  /** Receives one parsed message, which has not been checked. */
  message(value: unknown): void;
  /**
   * Receives the error code and text for malformed input; an answer can be sent, and the
   * connection continues.
   *
   * @param start the beginning of the input, as far as it is known
   * @param message a message that follows text in the same line, such as that of a logger
   */
  invalid(code: number, text: string, start?: string, message?: unknown): void;
  /**
   * Ends the delivery; the error is the reason when the end was not regular.
   *
   * @param isWhole whether the output has ended as well, so that nothing can be answered
   */
  close(error?: unknown, isWhole?: boolean): void;
}

/**
 * A bidirectional path for messages. Adapters create one from stdio, from web streams or in
 * memory; each transport belongs to exactly one connection.
 */
export interface Transport {
  /** Starts the delivery; called once, before any message is sent. */
  start(receiver: TransportReceiver): void;
  /**
   * Sends one message after those sent before. Resolves when more can be sent; rejects when the
   * other side has closed, which callers need not handle.
   *
   * @throws when the message cannot be written as JSON; it was not sent then
   */
  send(message: object): Promise<void>;
  /**
   * Returns how many bytes the other side has not taken yet, of those that `send` was given while
   * it could take no more. Absent where this is not known.
   */
  unsent?(): number;
  /** Closes both directions; messages that were already sent are still delivered where possible. */
  close(): void;
}

/** The shared promise that `send` returns when more can be sent at once. */
export const SENT: Promise<void> = Promise.resolve();

/** Messages in both directions as web streams, the form of the official SDK's transports. */
export interface MessageStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
}

/** The time for which the input is still read after the output has failed, in milliseconds. */
export const DRAIN_TIME = 1000;

/** Creates a transport from a pair of web streams of messages. */
export function streamTransport(stream: MessageStream): Transport {
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  let unsent = 0;
  /**
   * Delivers all messages and closes a turn after the end, so that the last message can be
   * answered in its turn.
   */
  const readAll = async (receiver: TransportReceiver): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      receiver.message(value);
    }
    await new Promise((resolve) => setTimeout(resolve));
  };
  return {
    start: (receiver) => {
      let isOpen = true;
      let drainTimer: ReturnType<typeof setTimeout> | undefined;
      const close = (error?: unknown): void => {
        clearTimeout(drainTimer);
        if (isOpen) receiver.close(error);
        isOpen = false;
      };
      readAll(receiver).then(close, close);
      // A peer that closes also ends the input; what it sent before is read first.
      writer.closed.catch((error: unknown) => {
        if (isOpen) drainTimer = setTimeout(close, DRAIN_TIME, error);
      });
    },
    send: (message) => {
      // The streams may keep the object, so a message that cannot be written must fail here.
      const size = JSON.stringify(message).length;
      const written = writer.write(message);
      const settle = (): void => void (unsent -= size);
      unsent += size;
      written.then(settle, settle);
      return written;
    },
    unsent: () => unsent,
    close: () => {
      void writer.close().catch(() => {});
      void reader.cancel().catch(() => {});
    },
  };
}

const started = new WeakSet<Transport>();

/**
 * Starts a transport for its only connection.
 *
 * @throws AcpError when the transport already has a connection
 */
export function startTransport(transport: Transport, receiver: TransportReceiver): void {
  if (started.has(transport))
    throw new AcpError("the transport is already connected: every connection needs its own");
  started.add(transport);
  transport.start(receiver);
}

/**
 * Returns the transport itself, or one for a pair of streams.
 *
 * @throws AcpError for anything else
 */
export function toTransport(given: Transport | MessageStream): Transport {
  const fields = (given ?? {}) as Partial<Transport & MessageStream>;
  if (typeof fields.start === "function") return given as Transport;
  if (typeof fields.readable?.getReader === "function" && fields.writable !== undefined)
    return streamTransport(given as MessageStream);
  const isNode = typeof (fields as { pipe?: unknown }).pipe === "function";
  throw new AcpError(
    `a connection needs a transport, e.g. stdio(), or web streams { readable, writable }, not ${
      isNode
        ? "a stream of Node.js: byteTransport(input, output) makes a transport of two"
        : given === null || typeof given !== "object"
          ? String(given)
          : "this object"
    }`,
  );
}

/** Returns a rejected promise that callers need not handle. */
export function rejected(reason: unknown): Promise<never> {
  const promise = Promise.reject(reason);
  promise.catch(() => {});
  return promise;
}

/** The number of messages in memory after which timers and other input get a turn. */
const MESSAGES_A_TURN = 1024;

/** Creates two connected transports in memory that deliver to each other as parsed JSON. */
export function memoryTransports(): [Transport, Transport] {
  const receivers: (TransportReceiver | undefined)[] = [undefined, undefined];
  const waiting: unknown[][] = [[], []];
  let closed = false;
  const tasks = new TaskQueue();
  const side = (own: number): Transport => ({
    start: (receiver) => {
      receivers[own] = receiver;
      for (const copy of waiting[own]!.splice(0)) deliver(own, copy);
      if (closed) tasks.post(() => receiver.close(undefined, true));
    },
    send: (message) => {
      const copy = copyAsJson(message);
      if (closed) return rejected(new Error("the transport is closed"));
      const other = 1 - own;
      if (receivers[other] === undefined) waiting[other]!.push(copy);
      else deliver(other, copy);
      return tasks.pause ?? SENT;
    },
    close: () => {
      if (closed) return;
      closed = true;
      for (const receiver of receivers) tasks.post(() => receiver?.close(undefined, true));
    },
  });
  const deliver = (to: number, copy: unknown): void =>
    tasks.post(() => receivers[to]!.message(copy));
  return [side(0), side(1)];
}

/** Runs tasks in order, each in a microtask of its own. */
class TaskQueue {
  readonly #tasks = new Fifo<() => void>();
  #count = 0;
  /** Resolves when the tasks go on; undefined while they run. Senders wait for it. */
  pause: Promise<void> | undefined;

  post(task: () => void): void {
    this.#tasks.push(task);
    if (this.#tasks.size === 1) this.#schedule();
  }

  readonly #run = (): void => {
    const task = this.#tasks.shift()!;
    if (this.#tasks.size > 0) this.#schedule();
    task();
  };

  /** Two sides that answer each other at once would keep everything else from running. */
  #schedule(): void {
    if (++this.#count % MESSAGES_A_TURN !== 0) return queueMicrotask(this.#run);
    this.pause = new Promise((resolve) =>
      setTimeout(() => {
        this.pause = undefined;
        this.#run();
        resolve();
      }),
    );
  }
}
