import { Writable, PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Connection } from "../../../../templates/typescript/runtime/rpc/connection.js";
import type { ConnectionLimits } from "../../../../templates/typescript/runtime/rpc/limits.js";
import {
  streamTransport,
  type Transport,
} from "../../../../templates/typescript/runtime/rpc/transports/transport.js";
import { byteTransport } from "../../../../templates/typescript/runtime/stdio/index.js";
import { createReceiver } from "../role/receiver.js";
import { notification, request, settle } from "../role/wire.js";

const MEGABYTE = "x".repeat(1024 * 1024);

// How long an output is blocked must not depend on how busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("an output without a reader", () => {
  test("refuses requests, and nothing else, above 64 MiB of answers", async () => {
    const { send, output } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    for (let id = 0; id < 70; id++) send(request(id, "m"));
    send(notification("cancel"));
    await settle();
    expect(received).toEqual([...Array(64).fill("m"), "cancel"]);
    output.release();
    await settleUntilStill(() => output.text.length);
    send(request(70, "m"));
    await settleUntilStill(() => output.text.length);
    const refused = messagesOf(output.text).filter(({ error }) => error !== undefined);
    expect(refused.map(({ id, error }) => [id, error!.code])).toEqual(
      [64, 65, 66, 67, 68, 69].map((id) => [id, -32029]),
    );
    expect(received).toHaveLength(66);
  });

  test("does not count messages of this side among its answers", async () => {
    const { send, connection } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    for (let n = 0; n < 70; n++) void connection.notify("n", MEGABYTE);
    send(request(1, "m"));
    await settle();
    expect(received).toEqual(["m"]);
  });

  test.each(["a byte stream", "web streams"])(
    "ends the connection after 60 s: %s",
    async (kind) => {
      const { send, connection } = open((bytes) =>
        kind === "web streams"
          ? toWebStreams(bytes)
          : byteTransport(bytes.input, bytes.output.stream),
      );
      const call = connection.request("m", {}).catch(String);
      for (let id = 0; id < 2; id++) send(request(id, "m"));
      await settle();
      vi.advanceTimersByTime(59_999);
      expect(connection.isOpen).toBe(true);
      vi.advanceTimersByTime(1);
      expect(connection.isOpen).toBe(false);
      expect(String(connection.endReason)).toMatch(
        /the other side has read nothing for 60 s while 2 MB were unsent/,
      );
      expect(await call).toMatch(/m failed: .*the other side has read nothing for 60 s/);
    },
  );

  test("ends the connection at once with 256 MiB unsent", async () => {
    const { connection } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    for (let n = 0; n < 257; n++) void connection.notify("n", MEGABYTE);
    expect(String(connection.endReason)).toMatch(
      /the other side does not read: 26\d MB are unsent/,
    );
  });

  test("is waited for with an infinite limit", async () => {
    const { connection } = open((bytes) => byteTransport(bytes.input, bytes.output.stream), {
      stallMs: Infinity,
    });
    for (let n = 0; n < 2; n++) void connection.notify("n", MEGABYTE);
    await settle();
    vi.advanceTimersByTime(3_600_000);
    expect(connection.isOpen).toBe(true);
  });

  test("may be blocked for ever with less than 1 MiB", async () => {
    const { connection } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    void connection.notify("n", MEGABYTE.slice(0, -100));
    await settle();
    vi.advanceTimersByTime(3_600_000);
    expect(connection.isOpen).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is not ended while a slow reader takes a piece from time to time", async () => {
    const { connection, output } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    void connection.notify("n", MEGABYTE.repeat(2));
    await settle();
    for (let piece = 0; piece < 10; piece++) {
      output.take();
      await settle();
      vi.advanceTimersByTime(60_000);
    }
    expect(connection.isOpen).toBe(true);
    expect(Math.max(...output.text.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024);
    vi.advanceTimersByTime(60_000);
    expect(connection.isOpen).toBe(false);
  });

  test("leaves no timer behind when the connection ends", async () => {
    const { connection } = open((bytes) => byteTransport(bytes.input, bytes.output.stream));
    void connection.notify("n", MEGABYTE.repeat(2));
    await settle();
    expect(vi.getTimerCount()).toBe(1);
    connection.close();
    // What waits for the output to take something is over soon.
    vi.advanceTimersByTime(2000);
    expect(vi.getTimerCount()).toBe(0);
  });
});

interface Message {
  readonly id: number;
  readonly error?: { readonly code: number };
}

/** The methods that reached a handler. */
let received: string[];

/** A connection that answers every request with a megabyte, over an output that takes nothing. */
function open(
  create: (bytes: { input: PassThrough; output: StuckOutput }) => Transport,
  limits?: ConnectionLimits,
): { connection: Connection; output: StuckOutput; send(message: object): void } {
  const [input, output] = [new PassThrough(), createStuckOutput()];
  received = [];
  const note = (method: string): string => {
    received.push(method);
    return MEGABYTE;
  };
  const receiver = createReceiver({
    request: note,
    notification: (method) => void note(method),
  });
  const transport = create({ input, output });
  const connection = new Connection(transport, receiver, () => {}, { limits });
  connection.start();
  return {
    connection,
    output,
    send: (message) => void input.write(`${JSON.stringify(message)}\n`),
  };
}

/** The same input and output as web streams of messages. */
function toWebStreams({ input, output }: { input: PassThrough; output: StuckOutput }): Transport {
  const readable = new ReadableStream<unknown>({
    start: (controller) =>
      void input.on("data", (line: Buffer) => controller.enqueue(JSON.parse(line.toString()))),
  });
  const writable = new WritableStream<unknown>({
    write: (message) =>
      new Promise<void>((resolve) => output.stream.write(JSON.stringify(message), () => resolve())),
  });
  return streamTransport({ readable, writable });
}

function messagesOf(text: readonly string[]): Message[] {
  const lines = text.join("").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Message);
}

interface StuckOutput {
  readonly stream: Writable;
  readonly text: readonly string[];
  /** Takes one write. */
  take(): void;
  /** Takes everything from now on. */
  release(): void;
}

function createStuckOutput(): StuckOutput {
  const text: string[] = [];
  let isReleased = false;
  let take = (): void => {};
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      text.push(chunk.toString());
      if (isReleased) setImmediate(done);
      else take = done;
    },
  });
  const release = (): void => {
    isReleased = true;
    take();
  };
  return { stream, text, take: () => take(), release };
}

/** Waits until a number has not changed for some turns. */
async function settleUntilStill(look: () => number): Promise<void> {
  for (let last = -1; last !== look();) {
    last = look();
    for (let turn = 0; turn < 50; turn++) await settle();
  }
}
