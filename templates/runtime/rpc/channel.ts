import { copyAsJson } from "./copy-as-json.js";
import { createThrottle } from "./throttle.js";

/** Receives what a channel delivers, in wire order. */
export interface ChannelReceiver {
  /** One parsed message; the value has not been checked. */
  message(value: unknown): void;
  /** Something that is no message: an answer can be sent, the connection goes on. */
  invalid(code: number, text: string): void;
  /** Nothing more will come; the error says why, when it was not a regular end. */
  close(error?: unknown): void;
}

/**
 * The two-way path that messages take. Adapters make one from stdio, from web
 * streams or from memory; a connection owns exactly one.
 */
export interface Channel {
  /** Starts delivery; called once, before anything is sent. */
  start(receiver: ChannelReceiver): void;
  /**
   * Sends one message after those sent before. Resolves when more can be sent;
   * rejects when the other side is gone, which nobody has to catch.
   *
   * @throws when the message cannot be written as JSON; nothing was sent then
   */
  send(message: object): Promise<void>;
  /** Ends both directions; what was sent before is still delivered where that is possible. */
  close(): void;
}

/** What `send` returns when more can be sent at once: one promise for all. */
export const SENT: Promise<void> = Promise.resolve();

/** Messages in both directions as web streams: the form in which the official SDK's transports come. */
export interface MessageStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
}

/** How long the input is still read after the output has failed, in milliseconds. */
export const LAST_WORDS = 1000;

export interface StreamOptions {
  /**
   * Reading pauses while more messages than these are unwritten; 1,000 when absent.
   * While the output stays stuck, the mark rises by as much every second, up to 32
   * times of it: two peers that both have much to say would wait for each other for ever.
   */
  readonly unwrittenLimit?: number;
}

/** Makes a channel from a pair of web streams of messages. */
export function fromStream(
  stream: MessageStream,
  { unwrittenLimit = 1000 }: StreamOptions = {},
): Channel {
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  let unwritten = 0;
  let isClosed = false;
  let canRead: Promise<void> | undefined;
  let resume = (): void => {};
  const throttle = createThrottle({
    limit: unwrittenLimit,
    unsent: () => (isClosed ? 0 : unwritten),
    pause: () => void (canRead = new Promise((resolve) => (resume = resolve))),
    resume: () => {
      canRead = undefined;
      resume();
    },
  });
  /** Delivers all that comes; a turn after its end, so that what came last may be answered in this one. */
  const readAll = async (receiver: ChannelReceiver): Promise<void> => {
    for (;;) {
      if (canRead !== undefined) await canRead;
      const { done, value } = await reader.read();
      if (done) break;
      receiver.message(value);
    }
    await new Promise((resolve) => setTimeout(resolve));
  };
  return {
    start: (receiver) => {
      let isOpen = true;
      let lastWords: ReturnType<typeof setTimeout> | undefined;
      const close = (error?: unknown): void => {
        clearTimeout(lastWords);
        if (isOpen) receiver.close(error);
        isOpen = false;
      };
      readAll(receiver).then(close, close);
      // A peer that is gone ends the input, too: what it said before is read first.
      writer.closed.catch((error: unknown) => {
        if (isOpen) lastWords = setTimeout(close, LAST_WORDS, error);
      });
    },
    send: (message) => {
      // The streams may keep the object; what cannot be written must fail here.
      JSON.stringify(message);
      const written = writer.write(message);
      const settle = (): void => {
        unwritten--;
        throttle.update();
      };
      unwritten++;
      written.then(settle, settle);
      throttle.update();
      return written;
    },
    close: () => {
      isClosed = true;
      throttle.update();
      void writer.close().catch(() => {});
      void reader.cancel().catch(() => {});
    },
  };
}

/** What people connect: a channel as it is, or streams of messages made one. */
export function toChannel(transport: Channel | MessageStream): Channel {
  return "start" in transport ? transport : fromStream(transport);
}

/** A promise that is rejected; nobody has to catch it. */
export function rejected(reason: unknown): Promise<never> {
  const promise = Promise.reject(reason);
  promise.catch(() => {});
  return promise;
}

/** Two channels that deliver to each other, as parsed JSON, without a process between them. */
export function memoryPair(): [Channel, Channel] {
  const receivers: (ChannelReceiver | undefined)[] = [undefined, undefined];
  const waiting: unknown[][] = [[], []];
  let closed = false;
  const side = (own: number): Channel => ({
    start: (receiver) => {
      receivers[own] = receiver;
      for (const copy of waiting[own]!.splice(0)) deliver(own, copy);
      if (closed) queueMicrotask(() => receiver.close());
    },
    send: (message) => {
      const copy = copyAsJson(message);
      if (closed) return rejected(new Error("the channel is closed"));
      const other = 1 - own;
      if (receivers[other] === undefined) waiting[other]!.push(copy);
      else deliver(other, copy);
      return SENT;
    },
    close: () => {
      if (closed) return;
      closed = true;
      for (const receiver of receivers) queueMicrotask(() => receiver?.close());
    },
  });
  const deliver = (to: number, copy: unknown): void =>
    queueMicrotask(() => receivers[to]!.message(copy));
  return [side(0), side(1)];
}
