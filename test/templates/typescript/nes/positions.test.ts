import type * as v1 from "acp-bindings/v1-full";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  convertOffset,
  convertPosition,
  convertRange,
  splitLines,
  type PositionEncoding,
} from "../../../../templates/typescript/runtime/nes/index.js";
import type { Equal, Expect } from "../../../programs/equal.js";
import { deepFreeze } from "../session/snapshot.js";
import { IS_DEEP, SEED } from "../../../support/deep.js";

const ENCODINGS: readonly PositionEncoding[] = ["utf-8", "utf-16", "utf-32"];

const RUN = {
  seed: Number(SEED),
  numRuns: IS_DEEP ? 20_000 : 500,
};

/** One of each length in each encoding, the limits between them, both lone surrogates, a combining mark. */
const TRICKY = ["a", "\0", "\x7f", "\x80", "é", "\u07ff", "\u0800", "€", "\uffff", "\u{10000}"]
  .concat(["😀", "\u{10ffff}", "\ud83d", "\ude00", "\ufffd", "\u0301", "\u2028"])
  .concat(["\ud800", "\udbff", "\udc00", "\udfff"]);

const notLineEnd = (unit: string): boolean => unit !== "\n" && unit !== "\r";

/** A text without a line end. */
const anyLine = (minLength = 0): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: fc.constantFrom(...TRICKY), minLength }),
    fc
      .string({ unit: "binary", minLength: minLength + 2 })
      .map((text) => [...text].filter(notLineEnd).join("") || "x".repeat(minLength)),
  );

const anyEncoding = fc.constantFrom(...ENCODINGS);

describe("an offset counts", () => {
  test("a lone surrogate as one character of three bytes, wherever it stands", () => {
    for (const lone of ["\ud83d", "\ude00", "\ude00\ud83d"]) {
      const count = lone.length;
      for (const [before, after] of [
        ["", ""],
        ["😀", "x"],
        ["x", "😀"],
      ] as const) {
        const text = before + lone + after;
        const start = before.length;
        const converted = convertOffset(text, start + count, "utf-16", "utf-8");
        expect(converted).toBe(Buffer.byteLength(before) + 3 * count);
        expect(convertOffset(text, converted, "utf-8", "utf-16")).toBe(start + count);
      }
    }
  });

  test.each([-1, -0.5, 0.5, 1.5, NaN, Infinity, -Infinity])(
    "never %d: it is a RangeError",
    (offset) => {
      for (const from of ENCODINGS) {
        expect(() => convertOffset("abc", offset, from, "utf-8")).toThrow(RangeError);
      }
    },
  );

  test("in linear time, also for a line of 8 million characters", () => {
    const long = "aé€😀".repeat(2_000_000);
    expect(convertOffset(long, 10_000_000, "utf-16", "utf-8")).toBe(20_000_000);
  });
});

describe("any offset", () => {
  test("is that of the last preceding boundary, as Buffer.byteLength, String.length and Array.from count", () => {
    fc.assert(
      fc.property(anyLine(), anyEncoding, anyEncoding, (line, from, to) => {
        const beginnings = beginningsOf(line);
        for (let offset = 0; offset <= lengthOf(line, from) + 2; offset++) {
          const reached = beginnings.findLast((beginning) => lengthOf(beginning, from) <= offset)!;
          expect(convertOffset(line, offset, from, to)).toBe(lengthOf(reached, to));
        }
      }),
      RUN,
    );
  });
});

const at = (line: number, character: number): v1.Position => ({ line, character });

describe("a text", () => {
  test("has lines that end only with \\n, \\r\\n or \\r", () => {
    expect(splitLines("a\nb\r\nc\rd\n\re\u2028f\u0085g\vh")).toEqual([
      "a",
      "b",
      "c",
      "d",
      "",
      "e\u2028f\u0085g\vh",
    ]);
    expect(splitLines("")).toEqual([""]);
    expect(splitLines("a\n")).toEqual(["a", ""]);
    expect(splitLines("\r\n\r\r\n")).toEqual(["", "", "", ""]);
  });
});

describe("a position", () => {
  const text = "😀a\r\n€😀b\rä\n";

  test("past the last line is the end of the text", () => {
    expect(convertPosition(text, at(4, 0), "utf-16", "utf-8")).toEqual(at(3, 0));
    expect(convertPosition("a\n€", at(2, 0), "utf-16", "utf-8")).toEqual(at(1, 3));
    expect(convertPosition("", at(7, 7), "utf-16", "utf-8")).toEqual(at(0, 0));
    expect(convertPosition([], at(7, 7), "utf-16", "utf-8")).toEqual(at(0, 0));
  });

  test("with a negative or fractional line or offset is a RangeError at any depth", () => {
    for (const wrong of [-1, 0.5, NaN, Infinity]) {
      expect(() => convertPosition(text, at(wrong, 0), "utf-8", "utf-16")).toThrow(RangeError);
      expect(() => convertPosition(text, at(0, wrong), "utf-8", "utf-16")).toThrow(RangeError);
      expect(() => convertPosition(text, at(9, wrong), "utf-8", "utf-16")).toThrow(RangeError);
    }
  });

  test("keeps its other properties and its type, and is not changed itself", () => {
    const position: v1.Position = deepFreeze({ ...at(1, 1), _meta: { kept: true } });
    const converted = convertPosition(text, position, "utf-16", "utf-8");
    expect(converted).toEqual({ line: 1, character: 3, _meta: { kept: true } });
    type Check = Expect<Equal<typeof converted, v1.Position>>;
    expect<Check>(true).toBe(true);
  });

  test("in any text is the offset in its line, whether the text is given or its lines", () => {
    const anyEnd = fc.constantFrom("\n", "\r\n", "\r");
    const anyRest = fc.array(fc.tuple(anyEnd, anyLine(1)));
    const any = fc.tuple(anyLine(1), anyRest, anyEncoding, anyEncoding, fc.nat(), fc.nat(40));
    fc.assert(
      fc.property(any, ([first, rest, from, to, any, character]) => {
        const lines = [first, ...rest.map(([, line]) => line)];
        const whole = first + rest.flat().join("");
        const line = any % lines.length;
        const expected = at(line, convertOffset(lines[line]!, character, from, to));
        expect(convertPosition(whole, at(line, character), from, to)).toEqual(expected);
        expect(convertPosition(lines, at(line, character), from, to)).toEqual(expected);
      }),
      RUN,
    );
  });
});

describe("a range", () => {
  test("is converted at both ends and keeps its type", () => {
    const range: v1.Range = deepFreeze({ start: at(0, 2), end: at(1, 3), _meta: { kept: true } });
    const converted = convertRange("😀a\r\n€😀b", range, "utf-16", "utf-8");
    expect(converted).toEqual({ start: at(0, 4), end: at(1, 7), _meta: { kept: true } });
    type Check = Expect<Equal<typeof converted, v1.Range>>;
    expect<Check>(true).toBe(true);
    expect(convertRange(["😀a", "€😀b"], range, "utf-16", "utf-8")).toEqual(converted);
  });

  test("of a whole text may end at the line after the last one", () => {
    const range = { start: at(0, 0), end: at(2, 0) };
    expect(convertRange("a\n€", range, "utf-16", "utf-8")).toEqual({
      start: at(0, 0),
      end: at(1, 3),
    });
  });
});

/** The length of a text by other means than those under test. */
function lengthOf(text: string, encoding: PositionEncoding): number {
  if (encoding === "utf-8") return Buffer.byteLength(text, "utf8");
  return encoding === "utf-16" ? text.length : Array.from(text).length;
}

/** A line's beginnings up to each boundary of characters, from none to all of it. */
function beginningsOf(line: string): string[] {
  const characters = Array.from(line);
  return [...characters, ""].map((_, count) => characters.slice(0, count).join(""));
}
