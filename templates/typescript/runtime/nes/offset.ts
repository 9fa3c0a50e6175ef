import type { PositionEncoding } from "./encoding.js";

/**
 * The number of units of a code point. A lone surrogate counts as one code point of three bytes,
 * like U+FFFD, which replaces it in UTF-8.
 */
const UNITS: { readonly [E in PositionEncoding]: (codePoint: number) => number } = {
  "utf-8": (codePoint) =>
    codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4,
  "utf-16": (codePoint) => (codePoint < 0x10000 ? 1 : 2),
  "utf-32": () => 1,
};

/**
 * Converts an offset within one line of text from one encoding to another. An offset inside a
 * character (a code point) moves to the start of the character, an offset past the end to the end
 * of the line, as in LSP 3.17, even if the encodings are the same. Takes time proportional to the
 * offset.
 *
 * @param line the text of the line, without its line end
 * @param offset in units of `from`; 0 is the start of the line
 * @returns the offset in units of `to`
 * @throws RangeError if the offset is negative or not an integer
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

/** @throws RangeError if the value is negative or not an integer */
export function requireIndex(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new RangeError(`${name} is an integer from 0 up, not ${value}`);
}
