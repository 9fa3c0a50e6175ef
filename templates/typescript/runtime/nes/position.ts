import type { PositionEncoding } from "./encoding.js";
import { convertOffset, requireIndex } from "./offset.js";

/** A position in a text: the line and the offset within it, both counted from 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A range of a text; the end is exclusive. */
export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/**
 * Splits a text into lines without their line ends (`\n`, `\r\n` and `\r`, as in LSP 3.17). A
 * text that ends with a line end has an empty last line.
 */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/**
 * Converts a position in a text from one encoding to another. An offset past the end of its line
 * moves to the end of the line, a line past the last one to the end of the text. Other properties
 * of the position are kept.
 *
 * @param text the text, or its lines from `splitLines` to split it only once for many positions
 * @param position with `character` in units of `from`; not modified
 * @returns the position with `character` in units of `to`
 * @throws RangeError if the line or the offset is negative or not an integer
 */
export function convertPosition<Position extends TextPosition>(
  text: string | readonly string[],
  position: Position,
  from: PositionEncoding,
  to: PositionEncoding,
): Position {
  requireIndex("a line", position.line);
  requireIndex("an offset", position.character);
  const lines = typeof text === "string" ? splitLines(text) : text;
  const last = Math.max(lines.length - 1, 0);
  const line = Math.min(position.line, last);
  const offset = position.line > last ? Number.MAX_SAFE_INTEGER : position.character;
  return { ...position, line, character: convertOffset(lines[line] ?? "", offset, from, to) };
}

/**
 * Converts both ends of a range, as `convertPosition` does.
 *
 * @param text the text, or its lines from `splitLines` to split it only once for many ranges
 * @throws RangeError if a line or an offset is negative or not an integer
 */
export function convertRange<Range extends TextRange>(
  text: string | readonly string[],
  range: Range,
  from: PositionEncoding,
  to: PositionEncoding,
): Range {
  const lines = typeof text === "string" ? splitLines(text) : text;
  return {
    ...range,
    start: convertPosition(lines, range.start, from, to),
    end: convertPosition(lines, range.end, from, to),
  };
}
