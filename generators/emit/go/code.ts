import {
  plainLines,
  sourceTools,
  wrapLine,
  type SourceText,
  type SourceTools,
} from "../../output/source-text.js";

/**
 * Go source text. Text that comes from a schema becomes source text only through the functions of
 * this file; the type system keeps plain strings out.
 */
export type Go = SourceText<"go">;

export const { code: go, join: joinGo, indent, identifier }: SourceTools<"go"> = sourceTools("\t");

/** A string as an expression. Halves of pairs are the bytes that the runtime keeps for them. */
export function literal(text: string): Go {
  const escaped = Array.from(text, (character) => escape(character.codePointAt(0)!, character));
  return `"${escaped.join("")}"` as Go;
}

function escape(code: number, character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  if (character === "\n") return "\\n";
  if (code >= 0xd800 && code <= 0xdfff)
    return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      .map((byte) => `\\x${byte.toString(16)}`)
      .join("");
  const isPlain = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character);
  return isPlain ? character : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** JSON text as an expression: in backquotes, so that it can be read. */
export function rawLiteral(json: string): Go {
  const text = json.replace(
    /[`\u007f-\u00a0\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `\`${text}\`` as Go;
}

/** A number as an expression. */
export function numeral(value: number): Go {
  return String(value) as Go;
}

/** Prints lines of two columns, aligned as gofmt does it. */
export function columns(rows: readonly (readonly [Go, Go])[]): Go {
  const width = Math.max(0, ...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)} ${second}\n`).join("") as Go;
}

/** The longest line of text in a comment. */
const COMMENT_WIDTH = 80;

/**
 * Returns a documentation comment with the line end behind it, in the form that gofmt leaves as it
 * is. Its text cannot end it. Empty for empty text.
 */
export function comment(text: string): Go {
  const lines = plainLines(text);
  if (lines.join("") === "") return go``;
  const printed = lines.flatMap((line, index) => {
    const isItem = /^- ./.test(line);
    const isFirst = index > 0 && isItem !== /^- ./.test(lines[index - 1]!);
    const wrapped = wrapLine(withoutMark(line), COMMENT_WIDTH).map(withoutStart);
    const whole = wrapped.map((one) => (isItem ? `  ${one}` : one));
    return isFirst && lines[index - 1] !== "" ? ["", ...whole] : whole;
  });
  const compact = printed.filter((line, index) => line !== "" || printed[index - 1] !== "");
  return compact.map((line) => `// ${line}`.trimEnd() + "\n").join("") as Go;
}

/** Replaces what gofmt takes for a heading or for quotes. */
function withoutMark(line: string): string {
  return line.replace(/''+|``+/g, '"').replace(/^(\p{Lu}.*[\p{L}\p{N}])$/u, "$1.");
}

/** Replaces the start of a line that makes it a heading, the target of a link or a build constraint. */
function withoutStart(line: string): string {
  return line
    .replace(/^[#+](?=\s|$|build)/, (mark) => (mark === "#" ? "\uff03" : "\uff0b"))
    .replace(/^\[(?=[^\]]*\]:)/, "(");
}
