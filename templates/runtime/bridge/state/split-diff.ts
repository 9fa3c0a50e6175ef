import { patchOf } from "../convert/diffs.js";
import { isRecord } from "../../rpc/messages.js";

type Item = Readonly<Record<string, unknown>>;

/** The losses when a diff is split. */
export type DiffLoss = "change-as-text" | "patch-without-change";

/**
 * Splits a diff into one for each changed file. A file without a patch becomes text that names the
 * change.
 */
export function splitDiff(diff: Item, lose: (loss: DiffLoss) => void): Item[] {
  const { changes, patch } = diff;
  if (!Array.isArray(changes) || changes.length === 0) return [diff];
  const { parts, find } = patchOf(patch);
  const found = new Set<string>();
  const items = changes.map((change: unknown, index): Item => {
    const { path, oldPath, operation } = isRecord(change) ? change : {};
    const text = find(String(path), index, changes.length);
    if (text !== undefined) {
      found.add(text);
      return { ...diff, changes: [change], patch: { ...(patch as Item), text } };
    }
    lose("change-as-text");
    const words = oldPath === undefined ? [operation, path] : [operation, oldPath, "to", path];
    return { type: "content", content: { type: "text", text: words.join(" ") } };
  });
  if (found.size < new Set(parts).size) lose("patch-without-change");
  return items;
}
