import type { InspectorModule, Recorded, Finding, Side } from "./inspector-api.js";

/** A line of a transcript: a message, or why it holds none. */
export type Line = {
  readonly number: number;
  /** Length of its text in UTF-16 code units. */
  readonly size: number;
} & ({ readonly recorded: Recorded } | { readonly broken: Finding });

const REASONS = {
  "not-utf8": "the line is not UTF-8 text",
  "too-long": "the line is longer than receivers accept",
} as const;

/** Returns a line without text. */
export function unreadable(number: number, reason: keyof typeof REASONS): Line {
  const broken: Finding = { level: "error", rule: reason, path: "", message: REASONS[reason] };
  return { number, size: 0, broken };
}

/** Reads a line; returns undefined for the header of a recording. */
export function readLine(
  text: string,
  number: number,
  recorder: Side,
  { isHeader, readRecord }: Pick<InspectorModule, "isHeader" | "readRecord">,
): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (number === 1 && isHeader(value)) return undefined;
    return { number, size: text.length, recorded: readRecord(value, recorder) };
  } catch (error) {
    const message = (error as Error).message.slice(0, 200);
    return { number, size: 0, broken: { level: "error", rule: "not-json", path: "", message } };
  }
}
