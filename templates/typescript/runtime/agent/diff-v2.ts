/** A changed file, as the content of a tool call of version 2. */
export interface FileDiff {
  readonly type: "diff";
  readonly changes: [{ readonly operation: "add" | "delete" | "modify"; readonly path: string }];
  readonly patch: { readonly format: "git_patch"; readonly text: string };
}

/** The number of unchanged lines around a change, unless another is given. */
const CONTEXT = 3;

/**
 * Returns a changed file as the content of a tool call. The patch has a single hunk, from the
 * first changed line to the last.
 *
 * @param path absolute
 * @param oldText undefined for a new file
 * @param newText undefined for a deleted file
 * @param context the number of unchanged lines around a change
 */
export function diff(
  path: string,
  oldText: string | undefined,
  newText: string | undefined,
  context: number = CONTEXT,
): FileDiff {
  const operation = oldText === undefined ? "add" : newText === undefined ? "delete" : "modify";
  const name = quotePath(path);
  const head = [
    `diff --git ${name} ${name}`,
    ...(operation === "add" ? ["new file mode 100644"] : []),
    ...(operation === "delete" ? ["deleted file mode 100644"] : []),
    `--- ${operation === "add" ? "/dev/null" : name}`,
    `+++ ${operation === "delete" ? "/dev/null" : name}`,
  ];
  const text = [...head, ...hunk(linesOf(oldText), linesOf(newText), context)].join("\n") + "\n";
  return { type: "diff", changes: [{ operation, path }], patch: { format: "git_patch", text } };
}

/** Returns a path as Git writes it: with quotes when it has a character that would need them. */
export function quotePath(path: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(path)) return path;
  const quoted = path.replace(/[\x00-\x1f\x7f"\\]/g, (character) => {
    if (character === '"' || character === "\\") return `\\${character}`;
    return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${quoted}"`;
}

function hunk(before: readonly string[], after: readonly string[], context: number): string[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  if (start === before.length && start === after.length && context < start) return [];
  const from = Math.max(0, start - context);
  const kept = Math.max(0, end - context);
  const range = (lines: readonly string[]): string => {
    const count = lines.length - kept - from;
    return `${count === 0 ? from : from + 1},${count}`;
  };
  const mark = (sign: string, lines: readonly string[]): string[] =>
    // A line without its end is marked as such in a patch.
    lines.map((line) =>
      line.endsWith("\n")
        ? sign + line.slice(0, -1)
        : `${sign}${line}\n\\ No newline at end of file`,
    );
  return [
    `@@ -${range(before)} +${range(after)} @@`,
    ...mark(" ", before.slice(from, start)),
    ...mark("-", before.slice(start, before.length - end)),
    ...mark("+", after.slice(start, after.length - end)),
    ...mark(" ", before.slice(before.length - end, before.length - kept)),
  ];
}

/** Returns the lines of a text, each with its end. */
function linesOf(text: string | undefined): string[] {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
