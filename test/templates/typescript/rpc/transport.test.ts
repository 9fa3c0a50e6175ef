import { describe, expect, test } from "vitest";
import {
  streamTransport,
  memoryTransports,
  type MessageStream,
} from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { ConnectionClosedError } from "../../../../templates/typescript/runtime/rpc/errors.js";
import { connect, listen, settle, uncaughtDuring } from "../role/wire.js";

describe("a pair of transports in memory", () => {
  test("keeps what was sent before the other side has started", async () => {
    const [left, right] = memoryTransports();
    await left.send({ n: 1 });
    await left.send({ n: 2 });
    const received = listen(right);
    await left.send({ n: 3 });
    await settle();
    expect(received.messages).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test("delivers messages that were sent before it was closed, then reports the end to both sides once", async () => {
    const [left, right] = memoryTransports();
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

  test("lets a waiting sender continue only when the other side has handled its messages", async () => {
    const [left, right] = memoryTransports();
    const received = listen(right);
    let most = 0;
    for (let n = 0; n < 10_000; n++) {
      await left.send({ n });
      most = Math.max(most, n - received.messages.length);
    }
    await settle();
    expect(received.messages).toHaveLength(10_000);
    expect(most).toBeLessThan(10);
  });

  test("lets timers run while both sides answer each other at once", async () => {
    const sides = memoryTransports();
    let [answers, hasTimerRun] = [0, false];
    setTimeout(() => (hasTimerRun = true));
    await new Promise<void>((resolve) => {
      for (const side of sides) {
        const message = (value: unknown): void => {
          if (hasTimerRun || ++answers > 100_000) resolve();
          else void side.send(value as object);
        };
        side.start({ message, invalid: () => {}, close: () => {} });
      }
      void sides[0].send({});
    });
    expect(hasTimerRun).toBe(true);
  });
});

describe("a transport from web streams", () => {
  test("delivers in order; the end of the stream right after the last message does not lose it", async () => {
    const { stream, incoming } = createStream();
    const received = listen(streamTransport(stream));
    for (let n = 0; n < 100; n++) incoming.enqueue({ n });
    incoming.close();
    await received.closed;
    expect(received.messages).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
    expect(received.closes).toEqual([undefined]);
  });

  test("delivers messages from before the failure of the stream, then reports the cause", async () => {
    const { stream, incoming } = createStream();
    const received = listen(streamTransport(stream));
    incoming.enqueue({ n: 1 });
    await settle();
    const failure = new Error("cut");
    incoming.error(failure);
    await settle();
    expect(received.messages).toEqual([{ n: 1 }]);
    expect(received.closes).toEqual([failure]);
  });

  test("whose writer fails rejects the calls that need it, without unhandled rejections", async () => {
    const failure = new Error("EPIPE");
    const uncaught = await uncaughtDuring(async () => {
      const { stream } = createStream(() => Promise.reject(failure));
      const connection = connect(streamTransport(stream));
      void connection.notify("floating", {});
      const closed = { name: "ConnectionClosedError", method: "m", cause: failure };
      await expect(connection.request("m", {})).rejects.toMatchObject(closed);
      await expect(connection.notify("m", {})).rejects.toMatchObject(closed);
      connection.close();
      void connection.notify("floating", {});
      await expect(connection.request("m", {})).rejects.toThrow(ConnectionClosedError);
    });
    expect(uncaught).toEqual([]);
  });

  test("whose writer fails ends soon, after the remaining messages of the peer, even when the reader stays open", async () => {
    const failure = new Error("EPIPE");
    const { stream, incoming } = createStream(() => Promise.reject(failure));
    const received = listen(streamTransport(stream));
    void received.transport.send({});
    await settle();
    incoming.enqueue({ last: "words" });
    await received.closed;
    expect(received.messages).toEqual([{ last: "words" }]);
    expect(received.closes).toEqual([failure]);
  });
});

/** Web streams with their other ends. */
function createStream(write: () => Promise<void> = () => Promise.resolve()): {
  stream: MessageStream;
  incoming: ReadableStreamDefaultController<unknown>;
} {
  let incoming: ReadableStreamDefaultController<unknown>;
  const readable = new ReadableStream<unknown>({
    start: (controller) => {
      incoming = controller;
    },
  });
  return { stream: { readable, writable: new WritableStream({ write }) }, incoming: incoming! };
}
