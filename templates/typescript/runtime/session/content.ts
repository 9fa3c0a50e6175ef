import { isRecord } from "../rpc/messages.js";

type Text = { readonly type: "text"; readonly text: string };

/**
 * Appends a block to a list. Plain text is merged with preceding plain text into a new block,
 * because the blocks of an update are never modified.
 */
export function appendBlock(content: unknown[], block: unknown): void {
  const last = content.at(-1);
  if (isPlainText(last) && isPlainText(block))
    content[content.length - 1] = { type: "text", text: joinText(last.text, block.text) };
  else content.push(block);
}

/**
 * Joins two texts. V8 stores a joined text as a tree of its parts, with 32 bytes for each, until a
 * letter of it is read; so one is read each time the text has grown by about an eighth, which
 * takes linear time altogether.
 */
function joinText(text: string, more: string): string {
  const joined = text + more;
  const shift = Math.max(0, 28 - Math.clz32(joined.length));
  if (joined.length >>> shift !== text.length >>> shift) joined.charCodeAt(0);
  return joined;
}

/** Returns whether a block is text, with or without annotations and metadata. */
export function isText(block: unknown): block is Text {
  return isRecord(block) && block["type"] === "text" && typeof block["text"] === "string";
}

/** Returns whether a block consists of text only; `null` annotations and metadata count as absent. */
function isPlainText(block: unknown): block is Text {
  if (!isText(block)) return false;
  return Object.keys(block).every((key) => {
    if (key === "type" || key === "text") return true;
    const value = (block as Readonly<Record<string, unknown>>)[key] ?? null;
    return (key === "annotations" || key === "_meta") && value === null;
  });
}
