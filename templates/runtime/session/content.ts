import { isRecord } from "../rpc/messages.js";

interface PlainText {
  readonly type: "text";
  readonly text: string;
}

/**
 * Adds a block to the end of a list. Plain text continues the plain text before
 * it, in a new block: the blocks of an update are never changed.
 */
export function appendBlock(content: unknown[], block: unknown): void {
  const last = content.at(-1);
  if (isPlainText(last) && isPlainText(block))
    content[content.length - 1] = { type: "text", text: last.text + block.text };
  else content.push(block);
}

/** Whether a block is text and nothing else; `null` annotations and metadata are none. */
function isPlainText(block: unknown): block is PlainText {
  if (!isRecord(block) || block["type"] !== "text" || typeof block["text"] !== "string")
    return false;
  return Object.keys(block).every((key) => {
    if (key === "type" || key === "text") return true;
    return (key === "annotations" || key === "_meta") && (block[key] ?? null) === null;
  });
}
