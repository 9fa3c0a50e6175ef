import { patchFields, patchList, replaceMeta, type Entity } from "./patch.js";
import { SessionState, type MessageEntity } from "./session-state.js";
import { SHAPES_V1 } from "./shapes.js";
import type { BlockOf, MessageKind, ToolCallStateV1 } from "./states.js";
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
  readonly mode?: Variant<Update, GeneralUpdateV1, "current_mode_update">;

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
   */
  endTurn(): void {
    this.#current = undefined;
    this.#newest = undefined;
  }

  /**
   * Adds a complete message of the user, as sent in `session/prompt`. Do not use it with an agent
   * that reports prompts as `user_message_chunk`, since the two messages cannot be recognized as
   * the same.
   */
  addUserMessage(content: readonly BlockOf<Update, GeneralUpdateV1>[]): void {
    const message = this.addMessage("user_message", undefined);
    message.content = [...content];
    this.endTurn();
    this.touch(message);
  }

  protected override fold(update: GeneralUpdateV1): void {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        this.#addChunk("user_message", update);
        return this.#closeAgent();
      case "agent_message_chunk":
        return this.#addChunk("agent_message", update);
      case "agent_thought_chunk":
        return this.#addChunk("agent_thought", update);
      case "agent_message_clear":
        return this.#clear(update);
      case "tool_call":
        return this.#replaceToolCall(update);
      case "tool_call_update":
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

  #addChunk(kind: MessageKind, update: Update1<`${MessageKind}_chunk`>): void {
    const { messageId, content, _meta } = update;
    const found =
      typeof messageId === "string" ? this.findMessage(kind, messageId) : this.#continued(kind);
    const message = found ?? this.addMessage(kind, messageId ?? undefined);
    if (found === undefined) {
      this.#newest = message;
      if (kind === "agent_message") this.#current = message;
    }
    replaceMeta(message, _meta ?? undefined);
    this.append(message, "content", content);
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

type Update1<Tag> = Extract<GeneralUpdateV1, { readonly sessionUpdate: Tag }>;
