import { structuredPatch } from "diff";
import { errorColors as pc } from "../colors.js";
import { withoutControls } from "../../schema/controls.js";

/** Limits of the printed diff. */
const MAX_LINES = 24;
const MAX_WIDTH = 160;
/** Beyond it the search for the shortest diff takes too long. */
const MAX_EDITS = 2000;

/**
 * Prints a short unified diff of a file for people, without control characters.
 *
 * @param path the name of the file
 * @param before the text on disk; `after` the generated text
 */
export function printFileDiff(path: string, before: string, after: string): string {
  const head = [pc.red(`--- ${path}`), pc.green(`+++ ${path} (as it would be generated)`)];
  const patch = structuredPatch(path, path, before, after, "", "", {
    context: 2,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) {
    const counts = [before, after].map((text) => text.split("\n").length);
    return [...head, pc.dim(`  too large to show: ${counts.join(" lines, now ")}`)].join("\n");
  }
  const lines = patch.hunks.flatMap((hunk) => [
    pc.cyan(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`),
    ...hunk.lines.map(printLine),
  ]);
  const rest = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES);
  return [...head, ...shown, ...(rest > 0 ? [pc.dim(`  … ${rest} more lines`)] : [])].join("\n");
}

function printLine(line: string): string {
  const cut = line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line;
  const safe = withoutControls(cut);
  if (line.startsWith("+")) return pc.green(safe);
  return line.startsWith("-") ? pc.red(safe) : safe;
}
