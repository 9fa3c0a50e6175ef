import { isRecord } from "../rpc/messages.js";

interface PlainText {
  readonly type: "text";
  readonly text: string;
}

/**
 * Appends a block to a list. Plain text is merged with preceding plain text into a new block,
 * because the blocks of an update are never modified.
 */
export function appendBlock(content: unknown[], block: unknown): void {
  const last = content.at(-1);
  if (isPlainText(last) && isPlainText(block))
    content[content.length - 1] = { type: "text", text: last.text + block.text };
  else content.push(block);
}

/** Returns whether a block consists of text only; `null` annotations and metadata count as absent. */
function isPlainText(block: unknown): block is PlainText {
  if (!isRecord(block) || block["type"] !== "text" || typeof block["text"] !== "string")
    return false;
  return Object.keys(block).every((key) => {
    if (key === "type" || key === "text") return true;
    return (key === "annotations" || key === "_meta") && (block[key] ?? null) === null;
  });
}
