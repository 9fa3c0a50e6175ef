import { describe, expect, test } from "vitest";
import { createLineReader } from "../../../../templates/typescript/runtime/rpc/transports/lines.js";

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const WITHOUT_LIMIT = 1024 * 1024;

describe("lines", () => {
  test("do not depend on how the bytes are cut, once, twice or between all of them", () => {
    const bytes = Buffer.concat([
      BOM,
      Buffer.from('{"a":"é€😀"}\r\n\n\r\n[1]\n"\u2028\u0000"\n{"last":"\uFFFD"}'),
    ]);
    const whole = read([bytes]);
    expect(whole).toEqual(['{"a":"é€😀"}', "[1]", '"\u2028\u0000"', '{"last":"\uFFFD"}']);
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const cut = [
          bytes.subarray(0, first),
          bytes.subarray(first, second),
          bytes.subarray(second),
        ];
        expect(read(cut)).toEqual(whole);
      }
    }
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  });

  test("lose the carriage return at their end and keep the ones inside", () => {
    expect(read(["a\rb\r\n\rc\n"])).toEqual(["a\rb", "\rc"]);
  });

  test("are unchanged when the source reuses the memory of a chunk", () => {
    for (const make of [Buffer.from, (text: string) => new TextEncoder().encode(text)]) {
      const lines: string[] = [];
      const reader = readerInto(lines);
      const chunk = make("first half, ");
      reader.push(chunk);
      chunk.fill(0x78);
      reader.push(make("second half\n"));
      expect(lines).toEqual(["first half, second half"]);
    }
  });
});

describe("invalid UTF-8", () => {
  test.each([
    ["a lone continuation byte", [0x80]],
    ["an overlong form", [0xc0, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a code point beyond the last", [0xf5, 0x80, 0x80, 0x80]],
    ["a character that is cut off", [0xe2, 0x82]],
    ["a byte that is never used", [0xff]],
  ])("is reported, never replaced, and the next line is read: %s", (_, bytes) => {
    const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expect(read([bad, "\nnext\n"])).toEqual([{ broken: "not-utf8" }, "next"]);
    expect(read(["before\n", bad])).toEqual(["before", { broken: "not-utf8" }]);
  });
});

describe("the line limit", () => {
  test.each(["\n", "\r\n", ""])(
    "counts the bytes of a line without its end: the limit fits, one more does not (end %j)",
    (end) => {
      expect(read([`€${"a".repeat(7)}${end}`], 10)).toEqual(["€aaaaaaa"]);
      expect(read([`€${"a".repeat(8)}${end}`], 10)).toEqual([{ broken: "too-long" }]);
      expect(read(["€", "a".repeat(4), "a".repeat(3), end], 10)).toEqual(["€aaaaaaa"]);
      expect(read(["€", "a".repeat(4), "a".repeat(4), end], 10)).toEqual([{ broken: "too-long" }]);
    },
  );

  test("refuses a line once, whatever its length, and the next one is read", () => {
    expect(read(["a".repeat(1000), "b".repeat(1000), "\nnext\n"], 10)).toEqual([
      { broken: "too-long" },
      "next",
    ]);
  });

  test("bounds the memory of an endless line", () => {
    const before = process.memoryUsage().arrayBuffers;
    const reader = createLineReader({ line: () => {}, broken: () => {} }, 1024);
    const chunk = new Uint8Array(64 * 1024).fill(0x61);
    for (let count = 0; count < 4096; count++) reader.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 * 1024 * 1024);
  });
});

type Reported = string | { readonly broken: string };

function readerInto(reported: Reported[], limit = WITHOUT_LIMIT) {
  return createLineReader(
    {
      line: (text) => reported.push(text),
      broken: (reason) => reported.push({ broken: reason }),
    },
    limit,
  );
}

function read(chunks: readonly (string | Uint8Array)[], limit?: number): Reported[] {
  const reported: Reported[] = [];
  const reader = readerInto(reported, limit);
  for (const chunk of chunks) reader.push(Buffer.from(chunk as string));
  reader.end();
  return reported;
}
