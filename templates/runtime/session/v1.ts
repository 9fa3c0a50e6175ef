import { isRecord } from "../rpc/messages.js";
import { appendBlock } from "./content.js";
import { Echoes } from "./echoes.js";
import { patchFields, patchList, replaceMeta, type Entity } from "./patch.js";
import { SessionState, type MessageEntity } from "./session-state.js";
import { SHAPES_V1 } from "./shapes.js";
import type { BlockOf, MessageKind, MessageState, Mode, ToolCallStateV1 } from "./states.js";
import type { AnyUpdate, EveryUpdateV1, GeneralUpdateV1, Variant } from "./updates.js";

/**
 * The state of one session in version 1.
 *
 * A chunk with an id belongs to the message of its kind with that id. A chunk without an id
 * continues the last entry of the timeline if that is an open message of the same kind, otherwise
 * it starts a new message: without ids, the only boundary between messages is a change of what is
 * reported. The last `_meta` wins; `null` removes it only in patches that define this
 * (compactions, subagents, messages between sessions).
 */
export class SessionStateV1<Update extends AnyUpdate = EveryUpdateV1> extends SessionState<
  Update,
  GeneralUpdateV1,
  ToolCallStateV1<Update>
> {
  /** The last plan without an id. */
  readonly plan?: Variant<Update, GeneralUpdateV1, "plan">;
  /**
   * The current mode: the last `current_mode_update`. A client's session begins with the mode in
   * the answer that opened it, and has the modes that it has set.
   */
  readonly mode?: Variant<Update, GeneralUpdateV1, "current_mode_update">;
  /** The modes that the agent listed when a client opened the session. */
  readonly availableModes: readonly Mode[] = [];

  readonly #echoes = new Echoes();
  /**
   * The message that `agent_message_clear` without an id refers to: the newest agent message,
   * until it is closed.
   */
  #current: MessageEntity | undefined;
  /** The message that the next chunk without an id may continue. */
  #newest: MessageEntity | undefined;

  constructor() {
    super(SHAPES_V1);
  }

  /**
   * Ends a prompt by closing the open messages; their content is kept. The end is the response to
   * `session/prompt`, not an update.
   *
   * @param message the message that `addUserMessage` returned for the prompt; by default that of the
   *   oldest prompt that has not ended
   */
  endTurn(message?: object): void {
    this.#echoes.end(message);
    this.#current = undefined;
    this.#newest = undefined;
  }

  /**
   * Adds a complete message of the user, as sent in `session/prompt`, and returns it.
   *
   * The agent may report the prompt as `user_message_chunk`s as well. Until the prompt has ended and
   * the agent has said something, chunks whose content is that of the prompt, from its beginning,
   * add nothing: the message has their id and metadata. When a later chunk differs, all of
   * them become a message of their own.
   */
  addUserMessage(
    content: readonly BlockOf<Update, GeneralUpdateV1>[],
  ): MessageState<BlockOf<Update, GeneralUpdateV1>> {
    const message = this.addMessage("user_message", undefined);
    message.content = [...content];
    this.#current = undefined;
    this.#echoes.expect(message);
    this.touch(message);
    return message as unknown as MessageState<BlockOf<Update, GeneralUpdateV1>>;
  }

  /**
   * Removes the message of a prompt that was refused, unless the agent has reported the message or
   * anything behind it.
   *
   * @param message the message that `addUserMessage` returned
   * @returns whether it was removed; otherwise the prompt still has to be ended
   */
  removeUserMessage(message: object): boolean {
    const position = this.timeline.findIndex(
      (entry) => entry.type === "message" && entry.message === message,
    );
    const behind = this.timeline.slice(position);
    if (position < 0 || !behind.every((entry) => this.#isUnreported(entry))) return false;
    this.removeMessage(message as MessageEntity);
    this.#echoes.end(message);
    return true;
  }

  /** Replaces the modes that the session offers. */
  setAvailableModes(modes: readonly Mode[]): void {
    (this as { availableModes: readonly Mode[] }).availableModes = modes;
    this.touch();
  }

  protected override fold(update: GeneralUpdateV1): void {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        this.#addUserChunk(update);
        return this.#closeAgent();
      case "agent_message_chunk":
        this.#echoes.agentSpoke();
        return this.touch(this.#addChunk("agent_message", update));
      case "agent_thought_chunk":
        this.#echoes.agentSpoke();
        return this.touch(this.#addChunk("agent_thought", update));
      case "agent_message_clear":
        return this.#clear(update);
      case "tool_call":
        this.#echoes.agentSpoke();
        return this.#replaceToolCall(update);
      case "tool_call_update":
        this.#echoes.agentSpoke();
        return this.#patchToolCall(this.#toolCall(update.toolCallId), update);
      case "plan":
        return this.keepLast("plan", update);
      case "current_mode_update":
        return this.keepLast("mode", update);
      case "session_info_update": {
        // Unlike in the patches of this version, `null` metadata means that none was sent.
        const { _meta, ...info } = update;
        return this.foldCommon(_meta === null ? info : update);
      }
      default:
        return this.foldCommon(update);
    }
  }

  protected override patchMeta(entity: Entity, change: unknown): void {
    replaceMeta(entity, change);
  }

  /** Closes the agent's messages, after a user message. */
  #closeAgent(): void {
    this.#current = undefined;
    if (this.#newest?.kind !== "user_message") this.#newest = undefined;
  }

  /** Returns whether an entry is a prompt of which the agent has reported nothing. */
  #isUnreported(entry: { readonly type: string; readonly message?: unknown }): boolean {
    return entry.type === "message" && this.#echoes.isUnreported(entry.message);
  }

  #addUserChunk(update: Chunk): void {
    const { messageId } = update;
    const isKnown =
      typeof messageId === "string" && this.findMessage("user_message", messageId) !== undefined;
    const { echoed, chunks, mistaken } = this.#echoes.recognize(update, isKnown);
    const restored = mistaken && this.#forgetEcho(mistaken);
    let changed: MessageEntity | undefined;
    if (echoed !== undefined) changed = this.#describe(echoed, chunks as readonly Chunk[]);
    else for (const chunk of chunks) changed = this.#addChunk("user_message", chunk as Chunk);
    if (changed !== undefined || restored !== undefined) this.touch(changed, restored);
  }

  /**
   * Gives a message the id and the last metadata of the chunks that echo it.
   *
   * @returns the message if that changes it
   */
  #describe(message: MessageEntity, chunks: readonly Chunk[]): MessageEntity | undefined {
    const id = chunks[0]?.messageId ?? message.messageId;
    const meta = chunks.filter(({ _meta }) => isRecord(_meta)).at(-1)?._meta ?? undefined;
    if (id === message.messageId && meta === undefined) return undefined;
    this.identify(message, id);
    replaceMeta(message, meta);
    return message;
  }

  /** Takes the id and the metadata of an echo away. Returns the message if that changes it. */
  #forgetEcho(message: MessageEntity): MessageEntity | undefined {
    if (message.messageId === undefined && message["_meta"] === undefined) return undefined;
    this.identify(message, undefined);
    replaceMeta(message, null);
    return message;
  }

  /** Adds a chunk to its message, which it returns. */
  #addChunk(kind: MessageKind, update: Chunk): MessageEntity {
    const { messageId, content, _meta } = update;
    const found =
      typeof messageId === "string" ? this.findMessage(kind, messageId) : this.#continued(kind);
    const message = found ?? this.addMessage(kind, messageId ?? undefined);
    if (found === undefined) {
      this.#newest = message;
      if (kind === "agent_message") this.#current = message;
    }
    replaceMeta(message, _meta ?? undefined);
    appendBlock(message.content, content);
    return message;
  }

  #continued(kind: MessageKind): MessageEntity | undefined {
    const last = this.timeline.at(-1);
    const isLast = last?.type === "message" && last.message === (this.#newest as unknown);
    return isLast && this.#newest?.kind === kind ? this.#newest : undefined;
  }

  #clear({ messageId, _meta }: Update1<"agent_message_clear">): void {
    const message =
      typeof messageId === "string" ? this.findMessage("agent_message", messageId) : this.#current;
    if (message === undefined) return;
    replaceMeta(message, _meta ?? undefined);
    this.clear(message);
  }

  #toolCall(toolCallId: string): Entity {
    return this.entity(
      this.toolCalls,
      toolCallId,
      () => ({ toolCallId, content: [], locations: [] }),
      (toolCall) => this.addToTimeline({ type: "tool_call", toolCall }),
    );
  }

  #replaceToolCall(update: Update1<"tool_call">): void {
    const toolCall = this.#toolCall(update.toolCallId);
    for (const field of Object.keys(toolCall)) if (field !== "revision") delete toolCall[field];
    Object.assign(toolCall, { toolCallId: update.toolCallId, content: [], locations: [] });
    this.#patchToolCall(toolCall, update);
  }

  #patchToolCall(toolCall: Entity, update: Update1<"tool_call" | "tool_call_update">): void {
    patchFields(toolCall, update, ["content"], "keep");
    patchList(toolCall, "content", update.content ?? undefined);
    this.touch(toolCall);
  }
}

type Chunk = Update1<`${MessageKind}_chunk`>;

type Update1<Tag> = Extract<GeneralUpdateV1, { readonly sessionUpdate: Tag }>;
