import { isRecord } from "../rpc/messages.js";
import { appendBlock } from "./content.js";
import { Echoes, type UserChunk } from "./echoes.js";
import { patchMeta } from "./patch.js";
import { SessionState, type MessageEntity } from "./session-state.js";
import type { StateChange } from "./state-table.js";
import type { BlockOf, MessageState, Mode, ToolCallStateV1 } from "./states.js";
import type { AnyUpdate, Variant } from "./updates.js";

const USER_MESSAGE = { target: "userMessage" };
const AGENT_MESSAGE = { target: "agentMessage" };

/**
 * The state of one session in version 1.
 *
 * A chunk with an id belongs to the message of its kind with that id. A chunk without an id
 * continues the last entry of the timeline if that is an open message of the same kind, otherwise
 * it starts a new message: without ids, the only boundary between messages is a change of what is
 * reported. The last `_meta` wins; `null` removes it only in patches that define this
 * (compactions, subagents, messages between sessions).
 */
export class SessionStateV1<Update extends AnyUpdate = AnyUpdate> extends SessionState<
  Update,
  ToolCallStateV1<Update>
> {
  /** The last plan without an id. */
  readonly plan?: Variant<Update, "plan">;
  /**
   * The current mode: the last `current_mode_update`. A client's session begins with the mode in
   * the answer that opened it, and has the modes that it has set.
   */
  readonly mode?: Variant<Update, "current_mode_update">;
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
  addUserMessage(content: readonly BlockOf<Update>[]): MessageState<BlockOf<Update>> {
    const message = this.create(USER_MESSAGE, undefined) as MessageEntity;
    message.content = [...content];
    this.#current = undefined;
    this.#echoes.expect(message);
    this.touch(message);
    return message as unknown as MessageState<BlockOf<Update>>;
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
    this.removeItem(message as MessageEntity);
    this.#echoes.end(message);
    return true;
  }

  protected override fold(change: StateChange, update: AnyUpdate): void {
    const { action, target } = change;
    const { kind } = this.target(change);
    const isChunk = kind !== undefined && action === "append";
    if (kind !== undefined && action === "remove") return this.#clear(update as Partial<UserChunk>);
    if (isChunk && target === USER_MESSAGE.target) return this.#addUserChunk(update as never);
    if (isChunk || target === "toolCall") this.#echoes.agentSpoke();
    if (isChunk) this.touch(this.#addChunk(change, update as never));
    else super.fold(change, update);
  }

  /** Returns whether an entry is a prompt of which the agent has reported nothing. */
  #isUnreported(entry: { readonly type: string; readonly message?: unknown }): boolean {
    return entry.type === "message" && this.#echoes.isUnreported(entry.message);
  }

  #addUserChunk(update: UserChunk): void {
    const { messageId } = update;
    const isKnown = typeof messageId === "string" && this.#users.has(messageId);
    const { echoed, chunks, mistaken } = this.#echoes.recognize(update, isKnown);
    const restored = mistaken && this.#forgetEcho(mistaken);
    let changed: MessageEntity | undefined;
    if (echoed !== undefined) changed = this.#describe(echoed, chunks);
    else for (const chunk of chunks) changed = this.#addChunk(USER_MESSAGE, chunk);
    if (changed !== undefined || restored !== undefined) this.touch(changed, restored);
    // A message of the user closes those of the agent.
    this.#current = undefined;
    if (this.#newest?.kind !== "user_message") this.#newest = undefined;
  }

  /**
   * Gives a message the id and the last metadata of the chunks that echo it.
   *
   * @returns the message if that changes it
   */
  #describe(message: MessageEntity, chunks: readonly UserChunk[]): MessageEntity | undefined {
    const id = chunks[0]?.messageId ?? message.messageId;
    const meta = chunks.filter(({ _meta }) => isRecord(_meta)).at(-1)?._meta;
    if (id === message.messageId && meta === undefined) return undefined;
    this.#identify(message, id);
    patchMeta(message, meta, false);
    return message;
  }

  /** Takes the id and the metadata of an echo away. Returns the message if that changes it. */
  #forgetEcho(message: MessageEntity): MessageEntity | undefined {
    if (message.messageId === undefined && message["_meta"] === undefined) return undefined;
    this.#identify(message, undefined);
    delete message["_meta"];
    return message;
  }

  get #users(): Map<string, object> {
    return this.items(USER_MESSAGE.target);
  }

  /** Gives a message of the user an id, or takes it away. */
  #identify(message: MessageEntity, messageId: string | undefined): void {
    if (message.messageId !== undefined) this.#users.delete(message.messageId);
    if (messageId === undefined) delete message.messageId;
    else this.#users.set((message.messageId = messageId), message);
  }

  /** Adds a chunk to its message, which it returns. */
  #addChunk(change: { readonly target: string }, update: UserChunk): MessageEntity {
    const { content, _meta } = update;
    const messageId = update.messageId ?? undefined;
    const found =
      messageId === undefined
        ? this.#continued(this.target(change).kind)
        : this.items(change.target).get(messageId);
    const message = (found ?? this.create(change, messageId)) as MessageEntity;
    if (found === undefined) {
      this.#newest = message;
      if (change.target === AGENT_MESSAGE.target) this.#current = message;
    }
    patchMeta(message, _meta, false);
    appendBlock(message.content, content);
    return message;
  }

  #continued(kind: string | undefined): MessageEntity | undefined {
    const last = this.timeline.at(-1);
    const isLast = last?.type === "message" && last.message === (this.#newest as unknown);
    return isLast && this.#newest?.kind === kind ? this.#newest : undefined;
  }

  #clear({ messageId, _meta }: Partial<UserChunk>): void {
    const found = messageId && this.items(AGENT_MESSAGE.target).get(messageId);
    const message = (typeof messageId === "string" ? found : this.#current) as MessageEntity;
    if (message === undefined) return;
    patchMeta(message, _meta, false);
    message.content = [];
    this.touch(message);
  }
}
