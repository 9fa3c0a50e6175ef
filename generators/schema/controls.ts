/** Characters that change the direction of the text around them, so that it reads as other text. */
const BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** What a terminal obeys or does not show, but for tabs and line feeds. */
const OBEYED = `\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029${BIDI}`;

const BIDI_CONTROLS = new RegExp(`[${BIDI}]`, "g");
const CONTROLS = new RegExp(`[\\n${OBEYED}]`, "g");
const UNPRINTABLE = new RegExp(`[${OBEYED}]`, "g");
/** The codes of our colors, which cannot do more than that, or another unprintable character. */
const UNPRINTABLE_OR_COLOR = new RegExp(`\\x1b\\[(?:[12]|22|3[1236]|39)m|[${OBEYED}]`, "g");

/**
 * Control characters but tabs as escapes, line breaks too: an input may hold what a
 * terminal or a pipeline would obey, such as a line that begins with `::error`.
 */
export function withoutControls(text: string): string {
  return text.replace(CONTROLS, escape);
}

/** Escapes bidirectional control characters as TypeScript and JSON do. */
export function withoutBidi(text: string): string {
  return text.replace(BIDI_CONTROLS, escape);
}

/**
 * Lines of output with their breaks, everything else that a terminal would obey as escapes. In
 * JSON they mean the same characters.
 *
 * @param hasColors whether the lines have colors of ours
 */
export function printable(lines: string, hasColors: boolean): string {
  if (!hasColors) return lines.replace(UNPRINTABLE, escape);
  return lines.replace(UNPRINTABLE_OR_COLOR, (found) => (found.length > 1 ? found : escape(found)));
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
