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
   * Sends one message after those sent before. Resolves when more can be sent.
   *
   * @throws when the message cannot be written as JSON; nothing was sent then
   */
  send(message: object): Promise<void>;
  /** Ends both directions; what was sent before is still delivered where that is possible. */
  close(): void;
}

/** Messages in both directions as web streams: the form in which the official SDK's transports come. */
export interface MessageStream {
  readonly readable: ReadableStream<unknown>;
  readonly writable: WritableStream<unknown>;
}

/** Makes a channel from a pair of web streams of messages. */
export function fromStream(stream: MessageStream): Channel {
  const reader = stream.readable.getReader();
  const writer = stream.writable.getWriter();
  return {
    start: (receiver) => {
      void (async () => {
        try {
          for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            receiver.message(value);
          }
          receiver.close();
        } catch (error) {
          receiver.close(error);
        }
      })();
    },
    send: (message) => {
      // The streams may keep the object; what cannot be written must fail here.
      JSON.stringify(message);
      return writer.write(message);
    },
    close: () => {
      void writer.close().catch(() => {});
      void reader.cancel().catch(() => {});
    },
  };
}

/** What people connect: a channel as it is, or streams of messages made one. */
export function toChannel(transport: Channel | MessageStream): Channel {
  return "start" in transport ? transport : fromStream(transport);
}

/** Two channels that deliver to each other, as parsed JSON, without a process between them. */
export function memoryPair(): [Channel, Channel] {
  const receivers: (ChannelReceiver | undefined)[] = [undefined, undefined];
  const waiting: string[][] = [[], []];
  let closed = false;
  const side = (own: number): Channel => ({
    start: (receiver) => {
      receivers[own] = receiver;
      for (const text of waiting[own]!.splice(0)) deliver(own, text);
      if (closed) queueMicrotask(() => receiver.close());
    },
    send: (message) => {
      const text = JSON.stringify(message);
      if (closed) return Promise.reject(new Error("the channel is closed"));
      const other = 1 - own;
      if (receivers[other] === undefined) waiting[other]!.push(text);
      else deliver(other, text);
      return Promise.resolve();
    },
    close: () => {
      if (closed) return;
      closed = true;
      for (const receiver of receivers) queueMicrotask(() => receiver?.close());
    },
  });
  const deliver = (to: number, text: string): void =>
    queueMicrotask(() => receivers[to]!.message(JSON.parse(text)));
  return [side(0), side(1)];
}
