import { describe, expect, test } from "vitest";
import {
  fromStream,
  memoryPair,
  type Channel,
  type MessageStream,
} from "../../templates/runtime/channel.js";
import { Connection } from "../../templates/runtime/connection.js";
import { ConnectionClosedError } from "../../templates/runtime/errors.js";
import { createReceiver } from "./receiver.js";
import { notification, settle, uncaughtDuring } from "./wire.js";

describe("a pair of channels in memory", () => {
  test("delivers in order, as JSON: the receiver gets a copy", async () => {
    const [left, right] = memoryPair();
    const received = listen(right);
    const sent = { list: [1, { a: undefined }], gone: undefined };
    await left.send(sent);
    await left.send({ second: true });
    sent.list.push(2);
    await settle();
    expect(received.messages).toEqual([{ list: [1, {}] }, { second: true }]);
    expect(Object.keys(received.messages[0] as object)).toEqual(["list"]);
  });

  test("keeps what was sent before the other side has started", async () => {
    const [left, right] = memoryPair();
    await left.send({ n: 1 });
    await left.send({ n: 2 });
    const received = listen(right);
    await left.send({ n: 3 });
    await settle();
    expect(received.messages).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test("sends nothing of a message that JSON cannot hold, and says so at once", async () => {
    const [left, right] = memoryPair();
    const received = listen(right);
    expect(() => left.send({ a: 1n })).toThrow(TypeError);
    await settle();
    expect(received.messages).toEqual([]);
  });

  test("delivers what was sent before it was closed, then tells both sides once", async () => {
    const [left, right] = memoryPair();
    const received = [listen(left), listen(right)];
    await left.send({ last: true });
    left.close();
    left.close();
    right.close();
    await settle();
    expect(received[1]!.messages).toEqual([{ last: true }]);
    expect(received.map(({ closes }) => closes)).toEqual([[undefined], [undefined]]);
    await expect(left.send({})).rejects.toThrow("closed");
    await expect(right.send({})).rejects.toThrow("closed");
  });

  test("tells also a side that starts after the other one has closed", async () => {
    const [left, right] = memoryPair();
    await left.send({ last: true });
    left.close();
    const received = listen(right);
    await settle();
    expect(received).toEqual({ messages: [{ last: true }], closes: [undefined] });
  });
});

describe("a channel from web streams", () => {
  test("delivers in order; the end of the stream right after the last message does not lose it", async () => {
    const { stream, incoming } = createStream();
    const received = listen(fromStream(stream));
    for (let n = 0; n < 100; n++) incoming.enqueue({ n });
    incoming.close();
    await settle();
    expect(received.messages).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
    expect(received.closes).toEqual([undefined]);
  });

  test("delivers what came before the stream failed, then says why it ended", async () => {
    const { stream, incoming } = createStream();
    const received = listen(fromStream(stream));
    incoming.enqueue({ n: 1 });
    await settle();
    const failure = new Error("cut");
    incoming.error(failure);
    await settle();
    expect(received).toEqual({ messages: [{ n: 1 }], closes: [failure] });
  });

  test("writes nothing of a message that JSON cannot hold, and says so at once", async () => {
    const { stream, written } = createStream();
    const channel = fromStream(stream);
    expect(() => channel.send({ a: 1n })).toThrow(TypeError);
    await channel.send({ a: 1 });
    expect(written).toEqual([{ a: 1 }]);
  });

  test("resolves a send only when the stream takes more", async () => {
    let release = (): void => {};
    const blocked = new Promise<void>((resolve) => (release = resolve));
    const { stream } = createStream(() => blocked);
    const channel = fromStream(stream);
    let sent = false;
    void channel.send({}).then(() => (sent = true));
    await settle();
    expect(sent).toBe(false);
    release();
    await settle();
    expect(sent).toBe(true);
  });

  test("closes both directions after what was sent, and may be closed twice", async () => {
    const { stream, written, state } = createStream();
    const channel = fromStream(stream);
    listen(channel);
    void channel.send({ last: true });
    channel.close();
    channel.close();
    await settle();
    expect(written).toEqual([{ last: true }]);
    expect(state).toEqual({ closed: true, cancelled: true });
  });

  test("whose writer fails rejects the calls that need it, and nothing stays uncaught", async () => {
    const failure = new Error("EPIPE");
    const uncaught = await uncaughtDuring(async () => {
      const { stream } = createStream(() => Promise.reject(failure));
      const connection = connectionOver(fromStream(stream));
      void connection.notify("floating", {});
      await expect(connection.request("m", {})).rejects.toBe(failure);
      connection.close();
      void connection.notify("floating", {});
      await expect(connection.request("m", {})).rejects.toThrow(ConnectionClosedError);
    });
    expect(uncaught).toEqual([]);
  });

  test("carries a connection whose messages come in the same tick as the end", async () => {
    const { stream, incoming } = createStream();
    const handled: string[] = [];
    const connection = connectionOver(fromStream(stream), (method) => void handled.push(method));
    incoming.enqueue(notification("first"));
    incoming.enqueue(notification("last"));
    incoming.close();
    await connection.closed;
    expect(handled).toEqual(["first", "last"]);
  });
});

function connectionOver(
  channel: Channel,
  onNotification: (method: string) => void = () => {},
): Connection {
  const receiver = createReceiver({ notification: onNotification });
  const connection = new Connection(channel, receiver, () => {});
  connection.start();
  return connection;
}

interface Received {
  readonly messages: unknown[];
  readonly closes: unknown[];
}

function listen(channel: Channel): Received {
  const received: Received = { messages: [], closes: [] };
  channel.start({
    message: (value) => received.messages.push(value),
    invalid: () => {},
    close: (error) => received.closes.push(error),
  });
  return received;
}

/** Web streams with their other ends. */
function createStream(write: () => Promise<void> = () => Promise.resolve()): {
  stream: MessageStream;
  incoming: ReadableStreamDefaultController<unknown>;
  written: unknown[];
  state: { closed: boolean; cancelled: boolean };
} {
  const written: unknown[] = [];
  const state = { closed: false, cancelled: false };
  let incoming: ReadableStreamDefaultController<unknown>;
  const readable = new ReadableStream<unknown>({
    start: (controller) => {
      incoming = controller;
    },
    cancel: () => {
      state.cancelled = true;
    },
  });
  const writable = new WritableStream<unknown>({
    write: (message) => {
      written.push(message);
      return write();
    },
    close: () => {
      state.closed = true;
    },
  });
  return { stream: { readable, writable }, incoming: incoming!, written, state };
}
