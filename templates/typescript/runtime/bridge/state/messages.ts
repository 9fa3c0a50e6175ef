import { isRecord } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";
import { LIMITS, BoundedMap } from "../limits.js";

/** A message as far as a client of version 1 has it. */
interface Shown {
  /** The text sent so far; undefined when it is not known or not only text. */
  text: string | undefined;
  /** How often it was started again. */
  revision: number;
}

/** The blocks to send, and the losses in doing so. */
export interface BlockReplacement {
  readonly blocks: readonly unknown[];
  /** The id of the message in version 1. */
  readonly messageId: string;
  readonly losses?: readonly ("message-replaced" | "message-cleared" | "details-left-out")[];
}

/**
 * The messages that a client of version 1 has received. It can only append to them: a message that
 * is replaced by other content starts again under another id.
 */
export class ShownMessages {
  readonly #shown = new BoundedMap<string, Shown>(LIMITS.items, LIMITS.sessionSize);

  /** What is kept, in UTF-16 units. */
  get size(): number {
    return this.#shown.size;
  }

  /** Counts a chunk as sent. Returns the id of the message in version 1. */
  append(kind: string, messageId: string, block: unknown): string {
    const key = `${kind} ${messageId}`;
    const shown = this.#of(key);
    const text = isRecord(block) && block["type"] === "text" ? block["text"] : undefined;
    const isKept =
      shown.text !== undefined &&
      typeof text === "string" &&
      shown.text.length + text.length <= LIMITS.text;
    shown.text = isKept ? shown.text! + (text as string) : undefined;
    this.#shown.resize(key, key.length + (shown.text?.length ?? 0));
    return idOf(messageId, shown);
  }

  /** Returns the blocks that turn what the client has into new content, where that is possible. */
  replace(kind: string, messageId: string, content: readonly unknown[]): BlockReplacement {
    const shown = this.#of(`${kind} ${messageId}`);
    const before = shown.text;
    if (before === "") return this.#send(kind, messageId, content);
    if (content.length === 0) {
      this.#restart(shown);
      return { blocks: [], messageId: idOf(messageId, shown), losses: ["message-cleared"] };
    }
    const text = textOf(content);
    if (before !== undefined && text?.startsWith(before)) {
      const rest = text.slice(before.length);
      const own = this.#send(kind, messageId, rest === "" ? [] : [{ type: "text", text: rest }]);
      const hasDetails = content.some((block) => hasOtherProperties(block, ["type", "text"]));
      return hasDetails ? { ...own, losses: ["details-left-out"] } : own;
    }
    this.#restart(shown);
    return { ...this.#send(kind, messageId, content), losses: ["message-replaced"] };
  }

  #send(kind: string, messageId: string, blocks: readonly unknown[]): BlockReplacement {
    for (const block of blocks) this.append(kind, messageId, block);
    return { blocks, messageId: idOf(messageId, this.#of(`${kind} ${messageId}`)) };
  }

  #restart(shown: Shown): void {
    shown.text = "";
    shown.revision++;
  }

  #of(key: string): Shown {
    const known = this.#shown.get(key);
    if (known !== undefined) return known;
    const shown: Shown = { text: "", revision: 0 };
    this.#shown.set(key, shown);
    this.#shown.resize(key, key.length);
    return shown;
  }
}

function idOf(messageId: string, { revision }: Shown): string {
  return revision === 0 ? messageId : `${messageId}~${revision}`;
}

/** Returns the text of content; undefined when it has more than text. */
function textOf(content: readonly unknown[]): string | undefined {
  let text = "";
  for (const block of content) {
    if (!isRecord(block) || block["type"] !== "text" || typeof block["text"] !== "string")
      return undefined;
    text += block["text"];
  }
  return text;
}
