import type { PositionEncoding } from "./encoding.js";

/**
 * How many units a code point takes. A surrogate without its other half counts as one
 * code point of three bytes, like the U+FFFD that stands in for it in UTF-8.
 */
const UNITS: { readonly [E in PositionEncoding]: (codePoint: number) => number } = {
  "utf-8": (codePoint) =>
    codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4,
  "utf-16": (codePoint) => (codePoint < 0x10000 ? 1 : 2),
  "utf-32": () => 1,
};

/**
 * Converts an offset inside one line of text from one encoding to another. An offset
 * inside a character (a code point) becomes the one of the character's start, an offset
 * past the end the length of the line, as in LSP 3.17; both also if the encodings are
 * the same. Takes time in proportion to the offset.
 *
 * @param line the text of the line, without its line end
 * @param offset in units of `from`, the start of the line being 0
 * @returns the offset in units of `to`
 * @throws RangeError if the offset is negative or no integer
 */
export function convertOffset(
  line: string,
  offset: number,
  from: PositionEncoding,
  to: PositionEncoding,
): number {
  requireIndex("an offset", offset);
  let passed = 0;
  let converted = 0;
  for (let index = 0; index < line.length;) {
    const codePoint = line.codePointAt(index)!;
    passed += UNITS[from](codePoint);
    if (passed > offset) break;
    converted += UNITS[to](codePoint);
    index += UNITS["utf-16"](codePoint);
  }
  return converted;
}

/** @throws RangeError if the value is negative or no integer */
export function requireIndex(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new RangeError(`${name} is an integer from 0 up, not ${value}`);
}
