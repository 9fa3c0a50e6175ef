import { quotePath } from "../../agent/diff-v2.js";
import { isRecord } from "../../rpc/messages.js";

type Item = Readonly<Record<string, unknown>>;

/**
 * Splits a diff of several files into one for each. A file without a patch becomes text that names
 * the change.
 */
export function splitDiff(diff: Item): Item[] {
  const { changes, patch } = diff;
  if (!Array.isArray(changes) || changes.length === 0) return [diff];
  const text =
    isRecord(patch) && patch["format"] === "git_patch" && typeof patch["text"] === "string"
      ? patch["text"]
      : "";
  const parts = text.split(/^(?=diff --git )/m).filter((part) => /^@@ /m.test(part));
  return changes.map((change: unknown, index) => {
    const path = isRecord(change) ? String(change["path"]) : "";
    const own =
      parts.find((part) => namesPath(part, path)) ??
      (parts.length === changes.length ? parts[index] : undefined);
    if (own !== undefined)
      return { ...diff, changes: [change], patch: { ...(patch as Item), text: own } };
    const operation = isRecord(change) ? String(change["operation"]) : "";
    return { type: "content", content: { type: "text", text: `${operation} ${path}` } };
  });
}

/** Checks the header of a part of a patch, which may have a prefix before the path. */
function namesPath(part: string, path: string): boolean {
  const quoted = quotePath(path);
  const header = part.slice(0, part.indexOf("\n@@ ")).split("\n");
  return header.some(
    (line) => /^(---|\+\+\+) /.test(line) && line.slice(4).split("\t")[0]!.endsWith(quoted),
  );
}
