import { diff } from "../../agent/diff-v2.js";
import { isRecord } from "../../rpc/messages.js";
import type { Computation } from "./computation.js";
import { REJECTED } from "./run.js";

/** Makes a patch that has all lines of both texts, so that nothing is lost. */
export const diffToPatch: Computation = (value) => {
  if (!isRecord(value)) return value;
  const { path, oldText, newText, ...rest } = value;
  if (typeof path !== "string" || typeof newText !== "string") return value;
  const before = typeof oldText === "string" ? oldText : undefined;
  const { changes, patch } = diff(path, before, newText, Infinity);
  return { ...rest, changes, patch };
};

/** Takes the texts from the hunks of the first file of a patch. */
export const patchToDiff: Computation = (value, { lose }) => {
  if (!isRecord(value)) return value;
  const { changes, patch, ...rest } = value;
  const [change, ...others] = Array.isArray(changes) ? (changes as unknown[]) : [];
  const text = isRecord(patch) && patch["format"] === "git_patch" ? patch["text"] : undefined;
  const texts = typeof text === "string" ? textsOf(text) : undefined;
  const { operation, path, fileType, mimeType } = isRecord(change) ? change : {};
  if (typeof path !== "string" || texts === undefined) {
    lose("no-patch");
    return REJECTED;
  }
  if (others.length > 0) lose("more-files");
  if (fileType !== undefined || mimeType !== undefined) lose("details");
  if (operation === "modify") lose("excerpt");
  else if (operation !== "add") lose("operation");
  const oldText = operation === "add" ? {} : { oldText: texts.before };
  return { ...rest, path, ...oldText, newText: texts.after };
};

/** Returns both texts of the first file in a patch; undefined when it has no hunk. */
function textsOf(patch: string): { readonly before: string; readonly after: string } | undefined {
  const before: string[] = [];
  const after: string[] = [];
  let isInHunk = false;
  let last: string[][] = [];
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ") && (isInHunk || before.length + after.length > 0)) break;
    if (line.startsWith("@@ ")) isInHunk = true;
    else if (isInHunk) {
      const sides = { " ": [before, after], "-": [before], "+": [after] }[line[0] ?? ""];
      if (line.startsWith("\\")) for (const side of last) side.push(side.pop()!.slice(0, -1));
      for (const side of sides ?? []) side.push(`${line.slice(1)}\n`);
      last = sides ?? [];
    }
  }
  return isInHunk ? { before: before.join(""), after: after.join("") } : undefined;
}
