/** A pattern: a sequence of characters, each with how often it may occur. */
export interface Pattern {
  /** Whether a match begins where the text begins. */
  readonly isStart: boolean;
  /** Whether a match ends where the text ends. */
  readonly isEnd: boolean;
  readonly parts: readonly PatternPart[];
}

export interface PatternPart {
  /** The source of a character, an escape or a class. */
  readonly source: string;
  readonly least: number;
  /** May be infinite. */
  readonly most: number;
}

/** A surrogate pair, a class, an escape of one character, or a character; then a quantifier. */
const PART =
  /(\\u[dD][89abAB][^]{2}\\u[dD][c-fC-F][^]{2}|\[(?:\\[^]|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[^]{4}|x[^]{2}|c[^]|[^1-9bBk])|[^\\^$()[\]{}|*+?])(?:([*+?])|\{(\d+)(,(\d*))?\})?\??/uy;

/**
 * Reads a pattern that is known to be an ECMAScript regular expression with the flag `u`.
 *
 * @returns undefined for a pattern with a group, alternatives, a back-reference, or an assertion
 *   other than `^` at its start and `$` at its end
 */
export function readPattern(source: string): Pattern | undefined {
  const isStart = source.startsWith("^");
  const parts: PatternPart[] = [];
  let end = isStart ? 1 : 0;
  for (;;) {
    PART.lastIndex = end;
    const found = PART.exec(source);
    if (found === null) break;
    end = PART.lastIndex;
    const [, character, mark, least, range, most] = found;
    parts.push({ source: character!, ...countsOf(mark, least, range, most) });
  }
  const rest = source.slice(end);
  return rest === "" || rest === "$" ? { isStart, isEnd: rest === "$", parts } : undefined;
}

function countsOf(
  mark: string | undefined,
  least: string | undefined,
  range: string | undefined,
  most: string | undefined,
): Pick<PatternPart, "least" | "most"> {
  if (mark === "?") return { least: 0, most: 1 };
  if (mark !== undefined) return { least: mark === "+" ? 1 : 0, most: Infinity };
  if (least === undefined) return { least: 1, most: 1 };
  if (range === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === "" ? Infinity : Number(most) };
}
