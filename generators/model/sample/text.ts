import { snakeCase } from "../identifiers.js";
import type { ScalarShape } from "../shape.js";
import { LONGEST, textOfPattern } from "./pattern.js";

/** A text of each format (JSON Schema 2020-12, Validation, section 7.3). */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["uri", "https://example.com/sample"],
  ["uri-reference", "/sample"],
  ["date-time", "2026-01-02T03:04:05Z"],
  ["date", "2026-01-02"],
  ["time", "03:04:05Z"],
  ["duration", "PT1H"],
  ["email", "user@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
  ["json-pointer", "/sample"],
  ["regex", "^sample$"],
]);

/** `sample`, as `contentEncoding` wants it. */
const ENCODINGS: ReadonlyMap<string, string> = new Map([["base64", "c2FtcGxl"]]);

/** Matching an exponential pattern against a longer text could take too long. */
const SHORT = 16;

/**
 * Makes texts that a string's restrictions may accept, the most readable first;
 * the pattern and the lengths are still to be checked.
 *
 * @param label what the text is for: a property's or definition's name
 */
export function textsFor(shape: ScalarShape, label: string): readonly string[] {
  const { format, encoding, pattern, minLength = 0, maxLength = Infinity } = shape;
  const readable = [
    ENCODINGS.get(encoding ?? ""),
    FORMATS.get(format ?? ""),
    words(label),
    words(label).replaceAll(" ", "-"),
  ].filter((text) => text !== undefined);
  if (minLength > LONGEST) return [];
  if (pattern === undefined) return readable.map((text) => cut(text, minLength, maxLength));
  const repeats = [1, 0, 2, 4, 8, 16, 32, 64, minLength, maxLength].filter(
    (count) => count <= LONGEST,
  );
  return [
    ...readable
      .map((text) => cut(text, minLength, maxLength))
      .filter((text) => text.length <= SHORT),
    ...repeats.flatMap((count) => textOfPattern(pattern, count) ?? []),
  ];
}

/** `sessionId` becomes `session id`. */
function words(label: string): string {
  return (
    snakeCase(label)
      .split(/[_\s/.-]+/)
      .filter((word) => word !== "")
      .join(" ") || "text"
  );
}

/** Repeats or shortens a text until its length, in code points, is right. */
function cut(text: string, minLength: number, maxLength: number): string {
  const { length } = [...text];
  const long = text.repeat(Math.max(1, Math.ceil(minLength / length)));
  return [...long].slice(0, Math.max(minLength, Math.min(maxLength, length))).join("");
}
