import { isRecord } from "../rpc/messages.js";
import { appendBlock } from "./content.js";
import { initial, patch, reset, type Entity } from "./patch.js";
import type { MessageChange, StateChange, StateTable, StateTarget } from "./state-table.js";
import type {
  BlockOf,
  CompactionState,
  CursorState,
  InfoState,
  MessageKind,
  MessageState,
  Recent,
  SessionMessageState,
  SubagentState,
  TimelineEntry,
  TurnUsage,
} from "./states.js";
import type { AnyUpdate, ExtensionUpdate, Variant } from "./updates.js";

/** The maximum number of kept notices and unknown updates. */
const RECENT = 1000;

/**
 * The state of one session, as the result of its updates; the common part of both versions.
 *
 * A state is live: `apply` changes it in place. A value that is updated as a whole (`commands`,
 * `usage`, …) is the last update itself and can be compared with `===`; everything that grows has
 * a `revision`. Updates are never modified, but parts of them are stored: do not modify an update
 * after it was applied.
 */
export abstract class SessionState<Update extends AnyUpdate, ToolCall> {
  /** Incremented by every update that changes the state. */
  readonly revision: number = 0;
  /** Messages, tool calls, compactions and messages between sessions, in order of appearance. */
  readonly timeline: readonly TimelineEntry<
    BlockOf<Update>,
    ToolCall,
    CompactionState<Update>,
    SessionMessageState<Update>
  >[] = [];
  /** User messages, agent messages and thoughts, in order of appearance. */
  readonly messages: readonly MessageState<BlockOf<Update>>[] = [];
  /** By id, in order of appearance, like all maps of the state. */
  readonly toolCalls: ReadonlyMap<string, ToolCall> = new Map();
  readonly compactions: ReadonlyMap<string, CompactionState<Update>> = new Map();
  readonly sessionMessages: ReadonlyMap<string, SessionMessageState<Update>> = new Map();
  /** Child sessions, by their session ids. */
  readonly subagents: ReadonlyMap<string, SubagentState<Update>> = new Map();
  /** Positions in the history that requests can refer to. */
  readonly cursors: ReadonlyMap<string, CursorState<Update>> = new Map();
  /** The last update of each plan that has an id. */
  readonly plans: ReadonlyMap<string, Variant<Update, "plan_update">> = new Map();
  /**
   * The commands that the user can run in a prompt: the last `available_commands_update`. A client's
   * session begins with those in the answer that opened it, if it has any (version 2).
   */
  readonly commands?: Variant<Update, "available_commands_update">;
  /**
   * The configuration options: the last `config_option_update`. A client's session begins with
   * those in the answer that opened it, and has the answers to `session/set_config_option`.
   */
  readonly config?: Variant<Update, "config_option_update">;
  /** The used part of the context window and the cost: the last `usage_update`. */
  readonly usage?: Variant<Update, "usage_update">;
  /**
   * The tokens that the end of a turn has reported last: in version 1 those of the session so far,
   * in version 2 those of that turn.
   */
  readonly turnUsage?: TurnUsage;
  /** The prompts that the agent suggests: the last `prompt_suggestions_update`. */
  readonly suggestions?: Variant<Update, "prompt_suggestions_update">;
  readonly info: InfoState<Update> = { revision: 0 } as never;
  readonly notices: Recent<Variant<Update, "notice">> = { items: [], count: 0 };
  /** Updates of unknown kinds, and malformed ones. */
  readonly others: Recent<Update | ExtensionUpdate> = { items: [], count: 0 };

  readonly #table: StateTable;
  /** The parts of the state by their names. */
  readonly #parts = this as unknown as Record<string, unknown>;
  /** The messages with ids, by their kind. */
  readonly #messages: Record<string, Map<string, Entity>> = {};

  constructor(table: StateTable) {
    this.#table = table;
  }

  /** Folds one update into the state and returns the state. Never throws. */
  apply(update: Update | ExtensionUpdate): this {
    const { updates } = this.#table;
    const { sessionUpdate } = update;
    const changes = Object.hasOwn(updates, sessionUpdate) ? updates[sessionUpdate]! : undefined;
    if (changes?.every((change) => this.#fits(change, update)))
      for (const change of changes) this.fold(change, update);
    else this.#keepRecent("others", update);
    return this;
  }

  /**
   * Folds the params or the result of a method into the state, as updates that would say the same.
   *
   * @param before for a result that opens a session, the values of `listsOf` when the request was
   *   sent: an absent or empty list replaces these only, and no list that was reported since
   */
  applyMessage(
    method: string,
    part: "params" | "result",
    message: unknown,
    before?: readonly unknown[],
  ): void {
    for (const change of this.#changesBy(method)) {
      if (change.part !== part) continue;
      const { from, tag, as, isList } = change;
      const { part: name } = this.target(change);
      const known = this.#parts[name];
      let value = at(message, from) ?? undefined;
      if (before !== undefined && isList && known !== undefined && isEmpty(value)) {
        if (!before.includes(known)) continue;
        value = [];
      }
      if (value === undefined) continue;
      if (tag === undefined) this.#keep(name, value);
      else if (as === undefined) this.apply({ ...value, sessionUpdate: tag } as never);
      else if (at(known, [as]) !== value) this.apply({ sessionUpdate: tag, [as]: value } as never);
    }
  }

  /** Returns the lists that the result of a method can have, as far as they are known. */
  listsOf(method: string): readonly unknown[] {
    const lists = this.#changesBy(method).filter(({ isList }) => isList);
    return lists.map((change) => this.#parts[this.target(change).part]);
  }

  #changesBy(method: string): readonly MessageChange[] {
    const { messages } = this.#table;
    return Object.hasOwn(messages, method) ? messages[method]! : [];
  }

  protected target({ target }: { readonly target: string }): StateTarget {
    return this.#table.targets[target]!;
  }

  /** Makes a change by an update whose ids and lists have been checked. */
  protected fold(change: StateChange, update: AnyUpdate): void {
    const { action } = change;
    const target = this.target(change);
    const id = change.id && (at(update, change.id) as string);
    if (action === "remove") return this.#remove(change, id);
    if (action === "append" && id === undefined) return this.#keepRecent(target.part, update);
    if (target.isUpdate) return this.#keepUpdate(change, update, id);
    const item = this.#find(change, id) ?? this.create(change, id);
    if (action === "append") append(item, target, at(update, change.value ?? []));
    else {
      if (action === "replace") reset(item, target);
      patch(item, update, target, this.#table.mergesMeta);
    }
    this.touch(item);
  }

  /** Creates an item, at the end of the timeline if it has a place there. */
  protected create(change: { readonly target: string }, id: string | undefined): Entity {
    const target = this.target(change);
    const item: Entity = { ...initial(target), revision: 0 };
    if (id !== undefined) {
      item[target.id!] = id;
      this.items(change.target).set(id, item);
    } else if (target.id === undefined) this.#parts[target.part] = item;
    const { kind, entry } = target;
    if (kind !== undefined) (this.messages as unknown[]).push(item);
    if (entry !== undefined)
      (this.timeline as object[]).push({ type: entry, [inCamelCase(entry)]: item });
    return item;
  }

  /** Returns the items of a target, by their ids. */
  protected items(target: string): Map<string, Entity> {
    const { part, kind } = this.target({ target });
    if (kind !== undefined) return (this.#messages[kind] ??= new Map());
    return (this.#parts[part] ??= new Map()) as Map<string, Entity>;
  }

  /** Removes an item that is among the last entries of the timeline. */
  protected removeItem(item: Entity): void {
    removeLast(this.messages, (other) => other === (item as unknown));
    removeLast(this.timeline, (entry) => Object.values(entry).includes(item as never));
    this.touch();
  }

  /** Increments the revision, for one or two items or for the state itself. */
  protected touch(item?: Entity, other?: Entity): void {
    const state = this as { revision: number };
    state.revision += 1;
    if (item !== undefined) item.revision = state.revision;
    if (other !== undefined) other.revision = state.revision;
  }

  #fits({ action, target: name, id, value }: StateChange, update: AnyUpdate): boolean {
    const target = this.target({ target: name });
    if (id !== undefined) {
      const given = at(update, id);
      const isAbsent = target.isIdOptional === true && (given ?? null) === null;
      if (typeof given !== "string" && !isAbsent) return false;
    }
    if (action === "remove" || target.isUpdate || (action === "append" && !id)) return true;
    if (action === "append") {
      const added = at(update, value ?? []);
      return target.bytes === undefined ? isRecord(added) : typeof added === "string";
    }
    const { bytes, lists = [] } = target;
    const isObject = bytes === undefined || isRecord(at(update, [bytes]) ?? {});
    return isObject && lists.every((field) => Array.isArray(at(update, [field]) ?? []));
  }

  #find(change: StateChange, id: string | undefined): Entity | undefined {
    if (id === undefined) return this.#parts[this.target(change).part] as Entity | undefined;
    return this.items(change.target).get(id);
  }

  /** Removes an item, or empties its list. */
  #remove(change: StateChange, id: string | undefined): void {
    const item = this.#find(change, id);
    if (item === undefined) return;
    const target = this.target(change);
    if (change.field !== undefined) {
      item[change.field[0]!] = [];
      return this.touch(item);
    }
    if (id === undefined) delete this.#parts[target.part];
    else this.items(change.target).delete(id);
    this.removeItem(item);
  }

  /** Keeps an update, which replaces the one before it, or patches it. */
  #keepUpdate(change: StateChange, update: AnyUpdate, id: string | undefined): void {
    const { action, target, value = [] } = change;
    if (id !== undefined) {
      this.items(target).set(id, update as unknown as Entity);
      return this.touch();
    }
    const { part, isValue } = this.target({ target });
    const kept = isValue ? (at(update, value) ?? undefined) : update;
    if (action === "replace") return kept === undefined ? undefined : this.#keep(part, kept);
    const patched = { ...(this.#parts[part] as Entity), sessionUpdate: update.sessionUpdate };
    patch(patched, update, this.target({ target }), this.#table.mergesMeta);
    this.#keep(part, patched);
  }

  #keep(part: string, value: unknown): void {
    this.#parts[part] = value;
    this.touch();
  }

  #keepRecent(part: string, update: unknown): void {
    const recent = (this.#parts[part] ??= { items: [], count: 0 }) as Recent<unknown>;
    (recent.items as unknown[]).push(update);
    (recent as { count: number }).count += 1;
    if (recent.items.length > RECENT) (recent.items as unknown[]).shift();
    this.touch();
  }
}

/** A message in its mutable form. */
export interface MessageEntity extends Entity {
  readonly kind: MessageKind;
  messageId?: string;
  content: unknown[];
}

function append(item: Entity, { bytes, list, joins }: StateTarget, value: unknown): void {
  if (bytes !== undefined)
    ((item[bytes] ??= { chunks: [] }) as { readonly chunks: unknown[] }).chunks.push(value);
  else if (joins) appendBlock(item[list!] as unknown[], value);
  else (item[list!] as unknown[]).push(value);
}

/** Returns the value at a path; undefined if there is none. */
function at(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const name of path) found = isRecord(found) ? found[name] : undefined;
  return found;
}

function isEmpty(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0);
}

function inCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function removeLast<Item>(items: readonly Item[], matches: (item: Item) => boolean): void {
  for (let index = items.length - 1; index >= 0; index--)
    if (matches(items[index]!)) return void (items as Item[]).splice(index, 1);
}
