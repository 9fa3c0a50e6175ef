import { PassThrough, Readable, Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { streamTransport } from "../../../../templates/runtime/rpc/transport.js";
import { byteTransport } from "../../../../templates/runtime/stdio/index.js";
import { connect, listen, request, settle } from "../role/wire.js";

const CHUNK = 64 * 1024;
const KILOBYTE = "x".repeat(1024);

// Whether the output is stuck for seconds must not depend on how busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

describe("an output without a reader", () => {
  test("stops the reading of requests at the limit and one chunk's answers; when it drains, all are answered in order", async () => {
    const COUNT = 20_000;
    const maxUnsentBytes = 256 * 1024;
    const { input, state } = createRequests(COUNT);
    const output = createStuckOutput();
    connect(byteTransport(input, output.stream, { maxUnsentBytes }), {
      request: async () => KILOBYTE,
    });
    await settleUntilStill(() => state.given);
    const perChunk = Math.ceil(CHUNK / 60) * 1100;
    // A message that waits for a whole piece is not written yet.
    const [given, unsent] = [state.given, output.stream.writableLength];
    console.info(
      `back-pressure: ${unsent} bytes of answers unsent at a limit of ${maxUnsentBytes}, ${given} of ${COUNT} requests taken`,
    );
    expect(unsent).toBeGreaterThan(maxUnsentBytes - CHUNK);
    expect(unsent).toBeLessThan(maxUnsentBytes + perChunk);
    expect(given).toBeLessThan(COUNT / 2);
    await settle();
    expect(output.stream.writableLength).toBe(unsent);

    output.release();
    await settleUntilStill(() => output.text.length);
    const ids = output.text
      .join("")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual([...Array(COUNT).keys()]);
  });

  test("does not stop the reading below its own high water mark, where no drain would follow", async () => {
    const input = new PassThrough();
    const output = createStuckOutput(64 * 1024);
    const received = listen(byteTransport(input, output.stream, { maxUnsentBytes: 10 }));
    for (let n = 0; n < 10; n++) void received.transport.send({ n, KILOBYTE });
    input.write('{"n":1}\n');
    await settle();
    expect(received.messages).toEqual([{ n: 1 }]);
  });

  test("does not stop the reading while handlers wait for their peer", async () => {
    const { input, state } = createRequests(5000);
    const output = new PassThrough().resume();
    connect(byteTransport(input, output, { maxUnsentBytes: 1024 }), {
      request: () => new Promise(() => {}),
    });
    await settleUntilStill(() => state.given);
    expect(state.given).toBe(5000);
  });

  test("that closes lets the last messages be read", async () => {
    const input = new PassThrough();
    const output = createStuckOutput();
    const received = listen(byteTransport(input, output.stream, { maxUnsentBytes: 1024 }));
    void received.transport.send({ huge: KILOBYTE.repeat(100) });
    input.write('{"last":"words"}\n');
    await settle();
    expect(received.messages).toEqual([]);
    output.stream.destroy(new Error("EPIPE"));
    await settle();
    expect(received.messages).toEqual([{ last: "words" }]);
  });
});

test("two peers that both send more than their outputs accept do not deadlock", async () => {
  const [there, back] = [createPipe(), createPipe()];
  const options = { maxUnsentBytes: 64 * 1024 };
  const sides = [
    byteTransport(there.readable, back.writable, options),
    byteTransport(back.readable, there.writable, options),
  ].map(listen);
  for (const { transport } of sides)
    for (let n = 0; n < 4; n++) void transport.send({ n, text: KILOBYTE.repeat(100) });
  await settle();
  expect(sides.map(({ messages }) => messages)).toEqual([[], []]);
  for (let second = 0; second < 10; second++) {
    vi.advanceTimersByTime(1000);
    await settle();
  }
  for (const { messages } of sides)
    expect(messages.map((message) => (message as { n: number }).n)).toEqual([0, 1, 2, 3]);
});

describe("a web stream that accepts no more", () => {
  test("stops the reading at the limit of unwritten messages; later all are answered in order", async () => {
    let taken = 0;
    let release = (): void => {};
    const blocked = new Promise<void>((resolve) => (release = resolve));
    const written: unknown[] = [];
    const readable = new ReadableStream<unknown>(
      {
        pull: (controller) => {
          if (taken === 5000) controller.close();
          else controller.enqueue(request(taken++, "m"));
        },
      },
      { highWaterMark: 0 },
    );
    const writable = new WritableStream<unknown>({
      write: (message) => {
        written.push((message as { id: number }).id);
        return blocked;
      },
    });
    const connection = connect(streamTransport({ readable, writable }));
    await settleUntilStill(() => taken);
    console.info(`back-pressure: ${taken} of 5000 messages taken from a web stream, limit 1000`);
    expect(taken).toBeGreaterThan(1000);
    expect(taken).toBeLessThan(1050);
    release();
    await settleUntilStill(() => written.length);
    expect(written).toEqual([...Array(5000).keys()]);
    vi.runAllTimers();
    await connection.closed;
  });
});

function createRequests(count: number): { input: Readable; state: { given: number } } {
  const state = { given: 0 };
  const input = new Readable({
    highWaterMark: 1,
    read: () => {
      let chunk = "";
      while (state.given < count && chunk.length < CHUNK - 100)
        chunk += `${JSON.stringify(request(state.given++, "m"))}\n`;
      // A turn later, as a pipe does.
      if (chunk !== "") setImmediate(() => input.push(chunk));
    },
  });
  return { input, state };
}

function createStuckOutput(highWaterMark?: number): {
  stream: Writable;
  text: string[];
  release(): void;
} {
  const text: string[] = [];
  let isReleased = false;
  let go = (): void => {};
  const stream = new Writable({
    ...(highWaterMark !== undefined && { highWaterMark }),
    write: (chunk: Buffer, _encoding, done) => {
      text.push(chunk.toString());
      if (isReleased) setImmediate(done);
      else go = done;
    },
  });
  const release = (): void => {
    isReleased = true;
    go();
  };
  return { stream, text, release };
}

/** Takes the next chunk when the one before was read, as a pipe with room for one. */
function createPipe(): { readable: Readable; writable: Writable } {
  let next: (() => void) | undefined;
  const readable = new Readable({
    highWaterMark: 1,
    read: () => {
      const taken = next;
      next = undefined;
      taken?.();
    },
  });
  const writable = new Writable({
    write: (chunk, _encoding, done) => {
      next = done;
      setImmediate(() => readable.push(chunk));
    },
  });
  return { readable, writable };
}

/** Waits until a number has not changed for some turns. */
async function settleUntilStill(look: () => number): Promise<void> {
  for (let last = -1; last !== look();) {
    last = look();
    await settle();
  }
}
