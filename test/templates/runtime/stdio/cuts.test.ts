import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteTransport } from "../../../../templates/runtime/stdio/index.js";
import { IS_DEEP } from "../../../support/deep.js";
import { listen, notification } from "../role/wire.js";

const COUNT = IS_DEEP ? 2000 : 500;
const BOM = "\ufeff";
/** Characters of one to four bytes, and those that only look like the end of a line. */
const TEXTS = ["a", "é", "€", "😀", "\u2028", "\u0000", "\ufffd", '\\"\r\n', "e\u0301", BOM];

/** Messages and their lines: with either line end, byte order marks and empty lines. */
const messages = Array.from({ length: COUNT }, (_, n) =>
  notification(`m${n}`, { text: [0, 1, 2].map((i) => TEXTS[(n * 7 + i * 3) % TEXTS.length]) }),
);
const lines = messages.map((message, n) => {
  const end = n % 3 === 0 ? "\r\n" : n % 5 === 0 ? "\n\n" : "\n";
  return Buffer.from((n % 4 === 0 ? BOM : "") + JSON.stringify(message) + end);
});
const whole = Buffer.concat(lines);

describe(`${COUNT} messages in a row`, () => {
  test("are delivered in order when they come in one chunk", async () => {
    expect(await deliver([whole])).toEqual(messages);
  });

  test("are the same with every message cut at every byte", async () => {
    const longest = Math.max(...lines.map(({ length }) => length));
    let cuts = 0;
    for (let offset = 0; offset < longest; offset++) {
      const chunks: Buffer[] = [];
      let rest = Buffer.alloc(0);
      for (const line of lines) {
        if (offset >= line.length) {
          rest = Buffer.concat([rest, line]);
          continue;
        }
        chunks.push(Buffer.concat([rest, line.subarray(0, offset)]));
        rest = line.subarray(offset);
        cuts++;
      }
      expect(await deliver([...chunks, rest])).toEqual(messages);
    }
    console.info(`cuts: ${COUNT} messages, ${cuts} cuts at ${whole.length} bytes, all the same`);
    expect(cuts).toBe(whole.length);
  });

  test("are the same byte by byte", async () => {
    expect(await deliver([...whole].map((byte) => Buffer.from([byte])))).toEqual(messages);
  });

  test("are the same cut in three at random", async () => {
    const offset = fc.integer({ min: 0, max: whole.length });
    await fc.assert(
      fc.asyncProperty(offset, offset, async (one, other) => {
        const [first, second] = [Math.min(one, other), Math.max(one, other)];
        const chunks = [
          whole.subarray(0, first),
          whole.subarray(first, second),
          whole.subarray(second),
        ];
        expect(await deliver(chunks)).toEqual(messages);
      }),
      { seed: 20_261, numRuns: 50 },
    );
  });
});

async function deliver(chunks: readonly Buffer[]): Promise<unknown[]> {
  const input = new PassThrough({ highWaterMark: whole.length * 2 });
  const received = listen(byteTransport(input, new PassThrough()));
  for (const chunk of chunks) input.write(chunk);
  input.end();
  await received.closed;
  expect(received.invalid).toEqual([]);
  return received.messages;
}
