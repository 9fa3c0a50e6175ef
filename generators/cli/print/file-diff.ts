import { structuredPatch } from "diff";
import { errorColors as pc } from "./colors.js";
import { withoutControls } from "../../schema/controls.js";

/** Longer lines and hunks tell no more about what has happened. */
const MAX_LINES = 24;
const MAX_WIDTH = 160;
/** Beyond it the search for a shortest script takes longer than anyone waits. */
const MAX_EDITS = 2000;

/**
 * A short unified diff of a file, for people: two lines of context, cut where
 * it gets long, nothing in it that could drive a terminal.
 *
 * @param path how the file is named
 * @param before what is there; `after` what should be
 */
export function printFileDiff(path: string, before: string, after: string): string {
  const head = [pc.red(`--- ${path}`), pc.green(`+++ ${path} (as it would be generated)`)];
  const patch = structuredPatch(path, path, before, after, "", "", {
    context: 2,
    maxEditLength: MAX_EDITS,
  });
  if (patch === undefined) {
    const counts = [before, after].map((text) => text.split("\n").length);
    return [...head, pc.dim(`  too much to show: ${counts.join(" lines, now ")}`)].join("\n");
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
