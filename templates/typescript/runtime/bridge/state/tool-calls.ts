import { isRecord } from "../../rpc/messages.js";
import { hasOtherProperties } from "../convert/other-properties.js";
import { LIMITS, BoundedMap, sizeOf } from "../limits.js";
import type { BridgedTerminals } from "./terminals.js";
import { patchOf } from "../convert/diffs.js";

type Update = Readonly<Record<string, unknown>>;

/** A tool call as far as a client of version 1 has it. */
interface ToolCall {
  content: unknown[];
  /** The size of the content, in UTF-16 units. */
  size: number;
  /** The size of the content when it was sent last, and since then. */
  sent: number;
  unsent: number;
}

/** Content is sent again when this much was appended, in UTF-16 units, or an eighth of it. */
const STEP = 1024;

/**
 * The tool calls of a session, for a client of version 1: the first update announces a tool call,
 * content is replaced as a whole, and terminals are text. Its updates are still those of version 2.
 */
export class BridgedToolCalls {
  readonly #calls = new BoundedMap<string, ToolCall>(LIMITS.items, LIMITS.sessionSize);
  readonly #waiting = new Set<string>();
  readonly #terminals: BridgedTerminals;
  readonly #lose: (loss: "content-cut" | DiffLoss) => void;

  constructor(terminals: BridgedTerminals, lose: (loss: "content-cut" | DiffLoss) => void) {
    this.#terminals = terminals;
    this.#lose = lose;
  }

  /** What is kept, in UTF-16 units. */
  get size(): number {
    return this.#calls.size;
  }

  /** Whether content was appended that is not sent yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Returns whether a tool call was announced. */
  has(id: string): boolean {
    return this.#calls.get(id) !== undefined;
  }

  /** Returns an update as the client gets it, and whether it is the first. */
  update(update: Update): { readonly update: Update; readonly isFirst: boolean } {
    const id = String(update["toolCallId"]);
    const known = this.#calls.get(id);
    const call = known ?? { content: [], size: 0, sent: 0, unsent: 0 };
    if (known === undefined) {
      this.#calls.set(id, call);
      this.#calls.resize(id, id.length);
    }
    const { content } = update;
    if (content !== undefined) {
      const items: readonly unknown[] = Array.isArray(content) ? content : [];
      call.content = [...items];
      call.size = sizeOf(items);
      this.#cut(id, call);
    }
    const isGiven = known === undefined ? Array.isArray(content) : content !== undefined;
    const hasContent = isGiven || this.#waiting.has(id);
    const own = hasContent ? { ...update, content: this.#render(id, call) } : update;
    if (known !== undefined) return { update: own, isFirst: false };
    // A new tool call has nothing that null could take back.
    const values = Object.entries(own).filter(([, value]) => value !== null);
    return { update: Object.fromEntries(values), isFirst: true };
  }

  /** Appends content to a tool call that was announced. Returns the update to send, if there is enough of it. */
  append(id: string, item: unknown): Update | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    const size = sizeOf(item);
    call.content.push(item);
    call.size += size;
    this.#cut(id, call);
    return this.#grow(id, call, size);
  }

  /** Returns the update of a tool call whose terminal has changed, if there is enough of it. */
  terminalChanged(id: string, size: number, isLast: boolean): Update | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    const update = this.#grow(id, call, size);
    return update ?? (isLast ? this.#send(id, call) : undefined);
  }

  /** Returns updates with everything that was appended and not sent yet. */
  flush(): Update[] {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    return waiting.flatMap((id) => {
      const call = this.#calls.get(id);
      return call === undefined ? [] : [this.#send(id, call)];
    });
  }

  /** Keeps the last content of a tool call, as far as the limits allow. */
  #cut(id: string, call: ToolCall): void {
    const before = call.content.length;
    let first = Math.max(0, before - LIMITS.content);
    for (const item of call.content.slice(0, first)) call.size -= sizeOf(item);
    while (call.size > LIMITS.contentSize && first < before - 1)
      call.size -= sizeOf(call.content[first++]);
    if (first > 0) {
      call.content.splice(0, first);
      this.#lose("content-cut");
    }
    this.#calls.resize(id, id.length + call.size);
  }

  #grow(id: string, call: ToolCall, size: number): Update | undefined {
    call.unsent += size;
    this.#waiting.add(id);
    const isEnough = call.sent === 0 || call.unsent >= Math.max(STEP, call.sent / 8);
    return isEnough ? this.#send(id, call) : undefined;
  }

  #send(id: string, call: ToolCall): Update {
    return { sessionUpdate: "tool_call_update", toolCallId: id, content: this.#render(id, call) };
  }

  #render(id: string, call: ToolCall): unknown[] {
    call.sent += call.unsent;
    call.unsent = 0;
    this.#waiting.delete(id);
    return call.content.flatMap((item) => {
      if (!isRecord(item)) return [item];
      if (item["type"] === "diff") return splitDiff(item, this.#lose);
      if (item["type"] !== "terminal") return [item];
      const { terminalId, ...rest } = item;
      const text = this.#terminals.show(String(terminalId), id);
      return text === "" && !hasOtherProperties(rest, ["type"])
        ? []
        : [{ ...rest, type: "content", content: { type: "text", text } }];
    });
  }
}

type Item = Readonly<Record<string, unknown>>;

/** The losses when a diff is split. */
type DiffLoss = "change-as-text" | "patch-without-change";

/**
 * Splits a diff into one for each changed file. A file without a patch becomes text that names the
 * change.
 */
function splitDiff(diff: Item, lose: (loss: DiffLoss) => void): Item[] {
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
