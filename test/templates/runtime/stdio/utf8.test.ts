import { isUtf8 } from "node:buffer";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { byteTransport } from "../../../../templates/runtime/stdio/index.js";
import { listen, settle, type Received } from "../role/wire.js";

const PARSE_ERROR = -32700;

/** Invalid sequences by the sections of Markus Kuhn's UTF-8 stress test. */
const INVALID: { readonly [section: string]: readonly (readonly number[])[] } = {
  "3.1 unexpected continuation bytes": [
    ...range(0x80, 0xbf).map((byte) => [byte]),
    ...range(2, 7).map((count) => Array<number>(count).fill(0x80)),
    range(0x80, 0xbf),
  ],
  "3.2 lonely start bytes": range(0xc0, 0xfd).flatMap((byte) => [[byte], [byte, 0x20]]),
  "3.3 the last continuation byte missing": [
    [0xc3],
    [0xe0, 0xa0],
    [0xef, 0xbf],
    [0xf0, 0x90, 0x80],
    [0xf4, 0x8f, 0xbf],
    [0xf8, 0x88, 0x80, 0x80],
    [0xfc, 0x84, 0x80, 0x80, 0x80],
    [0xc3, 0xe0, 0xa0, 0xf0, 0x90, 0x80],
  ],
  "3.5 impossible bytes": [[0xfe], [0xff], [0xfe, 0xfe, 0xff, 0xff]],
  "4 overlong forms": [
    [0xc0, 0x80],
    [0xc0, 0xaf],
    [0xc1, 0xbf],
    [0xe0, 0x80, 0x80],
    [0xe0, 0x80, 0xaf],
    [0xe0, 0x9f, 0xbf],
    [0xf0, 0x80, 0x80, 0xaf],
    [0xf0, 0x8f, 0xbf, 0xbf],
    [0xf8, 0x80, 0x80, 0x80, 0xaf],
    [0xfc, 0x80, 0x80, 0x80, 0x80, 0xaf],
  ],
  "5.1 single surrogates": range(0xa0, 0xbf).map((second) => [0xed, second, 0x80]),
  "5.2 paired surrogates": [
    [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80],
    [0xed, 0xaf, 0xbf, 0xed, 0xbf, 0xbf],
  ],
  "beyond the last code point": [
    [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf7, 0xbf, 0xbf, 0xbf],
  ],
};

/** First and last code point of every length, noncharacters, and U+FFFD itself. */
const VALID = [
  "\u0080",
  "\u07ff",
  "\u0800",
  "\ud7ff",
  "\ue000",
  "\ufffd",
  "\ufffe",
  "\uffff",
].concat(["\u{10000}", "\u{1fffe}", "\u{10ffff}"]);

describe("invalid UTF-8", () => {
  test("is refused with a parse error wherever it stands in a message, and nothing of it is delivered", async () => {
    const sequences = Object.values(INVALID).flat();
    const lines = sequences.flatMap((bytes) => [
      line('{"a":"', bytes, '"}'),
      line('{"a":"é', bytes, '€"}'),
      line('{"', bytes, '":1}'),
      line("", bytes, '{"a":1}'),
    ]);
    expect(lines.filter((bytes) => isUtf8(bytes))).toEqual([]);
    const received = await deliver(lines);
    console.info(
      `invalid UTF-8: ${sequences.length} sequences in ${lines.length} lines, ${received.invalid.length} refused, ${received.messages.length - 1} delivered`,
    );
    expect(received.invalid).toEqual(lines.map(() => PARSE_ERROR));
    expect(received.messages).toEqual([{ alive: true }]);
  });

  test("is never reported for valid text", async () => {
    const received = await deliver(VALID.map((text) => line('"', [...Buffer.from(text)], '"')));
    expect(received.invalid).toEqual([]);
    expect(received.messages).toEqual([...VALID, { alive: true }]);
  });
});

async function deliver(lines: readonly Uint8Array[]): Promise<Received> {
  const input = new PassThrough();
  const received = listen(byteTransport(input, new PassThrough()));
  for (const bytes of lines) input.write(Buffer.concat([bytes, Buffer.from("\n")]));
  input.end('{"alive":true}\n');
  await received.closed;
  await settle();
  return received;
}

function line(before: string, bytes: readonly number[], after: string): Buffer {
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
