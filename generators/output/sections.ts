/** A part of a template in Markdown, between comments in lines of their own, that has no parts in it. */
const PART =
  /^<!-- (only|without) ([a-z0-9 ]+) -->\n\n?((?:(?!^<!-- (?:only|without) )[\s\S])*?)^<!-- end -->\n?\n?/gm;

/**
 * Keeps the parts of a template that are true: `<!-- only v1 -->` begins one that all named facts are
 * needed for, `<!-- without v1 -->` one that none of them may hold for, `<!-- end -->` ends both.
 * Parts may be in parts.
 *
 * @param facts those that hold
 * @throws Error for a mark without its other one
 */
export function selectParts(text: string, facts: ReadonlySet<string>): string {
  const innermost = text.replace(PART, (_, kind: string, names: string, part: string) => {
    const isOnly = kind === "only";
    return names.split(" ").every((name) => facts.has(name) === isOnly) ? part : "";
  });
  if (innermost !== text) return selectParts(innermost, facts);
  const left = /^<!-- (?:(?:only|without) .*|end) -->$/m.exec(text);
  if (left !== null) throw new Error(`${left[0]} has no counterpart`);
  return `${text.trimEnd()}\n`;
}

/**
 * Leaves out the rows of tables in Markdown whose first cell names something that is not there.
 *
 * @param isThere called with the code in the first cell
 */
export function selectRows(text: string, isThere: (code: string) => boolean): string {
  return text.replace(/^\| `([^`|]+)` +\|.*\n/gm, (row, code: string) =>
    isThere(code) ? row : "",
  );
}
