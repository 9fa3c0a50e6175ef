import { diff } from "../../agent/diff-v2.js";
import { isRecord } from "../../rpc/messages.js";
import type { Computation } from "./computation.js";
import { hasOtherProperties } from "./other-properties.js";
import { hasMode, readPatch, textsOf, type GitPatch } from "./git-patch.js";
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

/** Takes the texts from the hunks of the first changed file. */
export const patchToDiff: Computation = (value, { lose }) => {
  if (!isRecord(value)) return value;
  const { changes, patch, ...rest } = value;
  const [change, ...others] = Array.isArray(changes) ? (changes as unknown[]) : [];
  const { operation, path, fileType, mimeType } = isRecord(change) ? change : {};
  const { parts, find } = patchOf(patch);
  const part = typeof path === "string" ? find(path, 0, 1) : undefined;
  if (part === undefined) {
    lose("no-patch");
    return REJECTED;
  }
  if (others.length > 0 || parts.length > 1) lose("more-files");
  if (fileType !== undefined || mimeType !== undefined || hasMode(part)) lose("details");
  if (
    hasOtherProperties(change, ["operation", "path", "oldPath", "fileType", "mimeType"]) ||
    hasOtherProperties(patch, ["format", "text"])
  )
    lose("metadata");
  if (operation === "modify") lose("excerpt");
  else if (operation !== "add") lose("operation");
  const { before, after } = textsOf(part);
  const oldText = operation === "add" ? {} : { oldText: before };
  return { ...rest, path, ...oldText, newText: after };
};

/** Returns the patch of a diff; one without parts where there is none in Git's format. */
export function patchOf(patch: unknown): GitPatch {
  const isGit = isRecord(patch) && patch["format"] === "git_patch";
  return readPatch(isGit && typeof patch["text"] === "string" ? patch["text"] : "");
}
