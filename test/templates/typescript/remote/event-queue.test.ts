import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EventQueue } from "../../../../templates/typescript/runtime/remote/server/event-queue.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue with a reader that has taken the sign that the stream is open. */
async function open() {
  const sent: number[] = [];
  const changes: boolean[] = [];
  const queue = new EventQueue({
    keepAliveMs: 1000,
    sent: (_, { number }) => void sent.push(number),
    changed: (isOpen) => void changes.push(isOpen),
  });
  const reader = queue.open([]).getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
  expect(await read()).toBe(": open\n\n");
  return { queue, reader, read, sent, changes };
}

/** Asks for more without an answer. */
async function ask(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  void reader.read();
  await vi.advanceTimersByTimeAsync(0);
}

const message = (number: number, text = "{}") => ({ number, text });
const event = (number: number): string => `id: ${number}\ndata: {}\n\n`;

describe("what was sent is taken", () => {
  test("when the reader asks for more, however long it takes", async () => {
    const { queue, reader, read } = await open();
    queue.push(message(1));
    expect(queue.isTaken).toBe(false);
    expect(await read()).toBe(event(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queue.isTaken).toBe(false);
    expect(await read()).toBe(":\n\n");
    await ask(reader);
    expect(queue.isTaken).toBe(true);
  });

  test("when a reader that was lost has not come back for five seconds", async () => {
    const { queue, reader, read, changes } = await open();
    queue.push(message(1));
    await read();
    await ask(reader);
    await reader.cancel();
    expect([queue.isOpen, queue.isTaken, changes]).toEqual([false, false, [true, false]]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(queue.isTaken).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(queue.isTaken).toBe(true);
  });

  test("not when the lost reader may not have received it", async () => {
    const { queue, reader, read } = await open();
    queue.push(message(1));
    await read();
    await reader.cancel();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(queue.isTaken).toBe(false);
    const again = queue.open([message(1)]).getReader();
    for (let piece = 0; piece < 2; piece++) await again.read();
    await ask(again);
    expect(queue.isTaken).toBe(true);
  });
});

test("a stream begins with what is sent again, and ends behind what waits", async () => {
  const { queue, read, sent } = await open();
  queue.push(message(2));
  const later = queue.open([message(1)]).getReader();
  // The earlier reader has nothing more.
  expect(await read()).toBe("");
  await later.read();
  queue.close(1000);
  const { value } = await later.read();
  expect(new TextDecoder().decode(value)).toBe(event(1) + event(2));
  expect([sent, (await later.read()).done]).toEqual([[1, 2], true]);
});

test("messages come in pieces of a bounded size", async () => {
  const { queue, read } = await open();
  for (let number = 1; number <= 3; number++) queue.push(message(number, "x".repeat(40_000)));
  const lengths = [await read(), await read()].map((piece) => piece.split("data").length - 1);
  expect(lengths).toEqual([2, 1]);
});

test("a reader that waits gets signs of life, and one that takes too long is cut off", async () => {
  const { queue, read, changes } = await open();
  for (let sign = 0; sign < 2; sign++) {
    const next = read();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await next).toBe(":\n\n");
  }
  queue.push(message(1));
  queue.close(500);
  await vi.advanceTimersByTimeAsync(499);
  expect(changes).toEqual([true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(changes).toEqual([true, false]);
  await expect(read()).rejects.toThrow("reads nothing");
});
