import { appendBlock } from "./content.js";
import { patchFields, patchList, type Entity } from "./patch.js";
import { isKnown, type Shapes } from "./shapes.js";
import type {
  BlockOf,
  CompactionState,
  InfoState,
  MessageKind,
  MessageState,
  Recent,
  SessionMessageState,
  SubagentState,
  TimelineEntry,
} from "./states.js";
import type { AnyUpdate, CommonUpdate, ExtensionUpdate, Variant } from "./updates.js";

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
export abstract class SessionState<Update extends AnyUpdate, General extends AnyUpdate, ToolCall> {
  /** Incremented by every update that changes the state. */
  readonly revision: number = 0;
  /** Messages, tool calls, compactions and messages between sessions, in order of appearance. */
  readonly timeline: readonly TimelineEntry<
    BlockOf<Update, General>,
    ToolCall,
    CompactionState<Update, General>,
    SessionMessageState<Update, General>
  >[] = [];
  /** User messages, agent messages and thoughts, in order of appearance. */
  readonly messages: readonly MessageState<BlockOf<Update, General>>[] = [];
  /** By id, in order of appearance, like all maps of the state. */
  readonly toolCalls: ReadonlyMap<string, ToolCall> = new Map();
  readonly compactions: ReadonlyMap<string, CompactionState<Update, General>> = new Map();
  readonly sessionMessages: ReadonlyMap<string, SessionMessageState<Update, General>> = new Map();
  /** Child sessions, by their session ids. */
  readonly subagents: ReadonlyMap<string, SubagentState<Update, General>> = new Map();
  /** The last update of each plan that has an id. */
  readonly plans: ReadonlyMap<string, Variant<Update, General, "plan_update">> = new Map();
  /**
   * The commands that the user can run in a prompt: the last `available_commands_update`. A client's
   * session begins with those in the answer that opened it, if it has any (version 2).
   */
  readonly commands?: Variant<Update, General, "available_commands_update">;
  /**
   * The configuration options: the last `config_option_update`. A client's session begins with
   * those in the answer that opened it, and has the answers to `session/set_config_option`.
   */
  readonly config?: Variant<Update, General, "config_option_update">;
  /** The used part of the context window and the cost: the last `usage_update`. */
  readonly usage?: Variant<Update, General, "usage_update">;
  readonly info: InfoState<Update, General> = { revision: 0 } as never;
  readonly notices: Recent<Variant<Update, General, "notice">> = { items: [], count: 0 };
  /** Updates of unknown kinds, and malformed updates of features that the profile lacks. */
  readonly others: Recent<Update | ExtensionUpdate> = { items: [], count: 0 };

  readonly #shapes: Shapes<General>;
  readonly #messageIds = {
    user_message: new Map<string, MessageEntity>(),
    agent_message: new Map<string, MessageEntity>(),
    agent_thought: new Map<string, MessageEntity>(),
  };

  constructor(shapes: Shapes<General>) {
    this.#shapes = shapes;
  }

  /** Folds one update into the state and returns the state. Never throws. */
  apply(update: Update | ExtensionUpdate): this {
    if (isKnown(this.#shapes, update)) this.fold(update);
    else this.keepRecent("others", update);
    return this;
  }

  /** Folds an update whose ids and lists have been checked. */
  protected abstract fold(update: General): void;

  /** Applies `_meta` of a patch to the stored state. */
  protected abstract patchMeta(entity: Entity, change: unknown): void;

  protected foldCommon(update: CommonUpdate): void {
    switch (update.sessionUpdate) {
      case "plan_update":
        return this.#keepPlan(update.plan.planId, update);
      case "plan_removed":
        if (mutable(this.plans).delete(update.planId)) this.touch();
        return;
      case "available_commands_update":
        return this.keepLast("commands", update);
      case "config_option_update":
        return this.keepLast("config", update);
      case "usage_update":
        return this.keepLast("usage", update);
      case "notice":
        return this.keepRecent("notices", update);
      case "session_info_update":
        return this.patch(this.info as unknown as Entity, update);
      case "compaction_update":
        return this.patch(this.#compaction(update.compactionId), update, "summary");
      case "compaction_summary_chunk":
        return this.append(this.#compaction(update.compactionId), "summary", update.content);
      case "subagent_update":
        return this.patch(
          this.entity(this.subagents, update.sessionId, () => ({ sessionId: update.sessionId })),
          update,
        );
      case "session_message":
        return this.patch(this.#sessionMessage(update.messageId), update, "content");
      case "session_message_chunk":
        return this.append(this.#sessionMessage(update.messageId), "content", update.content);
      default:
        return update satisfies never;
    }
  }

  /** Applies a patch: absent fields are kept, `null` clears, a value replaces. */
  protected patch(entity: Entity, update: object, list?: "content" | "summary"): void {
    const { _meta, ...fields } = update as { readonly _meta?: unknown };
    patchFields(entity, fields, list === undefined ? [] : [list], "clear");
    if (list !== undefined) patchList(entity, list, (update as Readonly<Entity>)[list]);
    this.patchMeta(entity, _meta);
    this.touch(entity);
  }

  protected append(entity: Entity, list: "content" | "summary", block: unknown): void {
    appendBlock(entity[list] as unknown[], block);
    this.touch(entity);
  }

  protected addMessage(kind: MessageKind, messageId: string | undefined): MessageEntity {
    const message: MessageEntity = {
      kind,
      ...(messageId !== undefined && { messageId }),
      content: [],
      revision: 0,
    };
    if (messageId !== undefined) this.#messageIds[kind].set(messageId, message);
    (this.messages as unknown as MessageEntity[]).push(message);
    this.addToTimeline({ type: "message", message });
    return message;
  }

  protected findMessage(kind: MessageKind, messageId: string): MessageEntity | undefined {
    return this.#messageIds[kind].get(messageId);
  }

  /** Gives a message an id, or takes it away. */
  protected identify(message: MessageEntity, messageId: string | undefined): void {
    const ids = this.#messageIds[message.kind];
    if (message.messageId !== undefined) ids.delete(message.messageId);
    if (messageId === undefined) delete message.messageId;
    else ids.set((message.messageId = messageId), message);
  }

  /** Removes a message that is among the last entries of the timeline. */
  protected removeMessage(message: MessageEntity): void {
    removeLast(this.messages, (other) => other === (message as unknown));
    removeLast(this.timeline, (entry) => isMessage(entry, message));
    this.touch();
  }

  /** Empties the content of a message; later chunks start a new list. */
  protected clear(message: MessageEntity): void {
    message.content = [];
    this.touch(message);
  }

  /** Returns the entity with an id; creates it when it is new. */
  protected entity(
    map: ReadonlyMap<string, unknown>,
    id: string,
    make: () => object,
    added?: (entity: Entity) => void,
  ): Entity {
    let entity = mutable(map).get(id) as Entity | undefined;
    if (entity === undefined) {
      entity = { ...make(), revision: 0 };
      mutable(map).set(id, entity);
      added?.(entity);
    }
    return entity;
  }

  protected addToTimeline(entry: object): void {
    (this.timeline as unknown as object[]).push(entry);
  }

  /** Stores an update that replaces the previous one as a whole. */
  protected keepLast(
    field: "commands" | "config" | "usage" | "plan" | "mode" | "state",
    update: unknown,
  ): void {
    (this as Record<string, unknown>)[field] = update;
    this.touch();
  }

  /** Increments the revision, for one or two entities or for the state itself. */
  protected touch(entity?: Entity, other?: Entity): void {
    const state = this as { revision: number };
    state.revision += 1;
    if (entity !== undefined) entity.revision = state.revision;
    if (other !== undefined) other.revision = state.revision;
  }

  private keepRecent(list: "notices" | "others", update: unknown): void {
    const recent = this[list] as { readonly items: unknown[]; count: number };
    recent.items.push(update);
    recent.count += 1;
    if (recent.items.length > RECENT) recent.items.shift();
    this.touch();
  }

  #keepPlan(planId: unknown, update: CommonUpdate): void {
    if (typeof planId !== "string") return this.keepRecent("others", update);
    mutable(this.plans).set(planId, update);
    this.touch();
  }

  #compaction(compactionId: string): Entity {
    return this.entity(
      this.compactions,
      compactionId,
      () => ({ compactionId, status: "in_progress", summary: [] }),
      (compaction) => this.addToTimeline({ type: "compaction", compaction }),
    );
  }

  #sessionMessage(messageId: string): Entity {
    return this.entity(
      this.sessionMessages,
      messageId,
      () => ({ messageId, content: [] }),
      (sessionMessage) => this.addToTimeline({ type: "session_message", sessionMessage }),
    );
  }
}

/** A message in its mutable form. */
export interface MessageEntity extends Entity {
  readonly kind: MessageKind;
  messageId?: string;
  content: unknown[];
}

function isMessage(entry: { readonly type: string }, message: MessageEntity): boolean {
  return "message" in entry && entry.message === message;
}

function removeLast<Item>(items: readonly Item[], matches: (item: Item) => boolean): void {
  for (let index = items.length - 1; index >= 0; index--)
    if (matches(items[index]!)) return void (items as Item[]).splice(index, 1);
}

function mutable(map: ReadonlyMap<string, unknown>): Map<string, unknown> {
  return map as Map<string, unknown>;
}
