import { patchFields, patchList, replaceMeta, type Entity } from "./patch.js";
import { SessionState, type MessageEntity } from "./session-state.js";
import { SHAPES_V1 } from "./shapes.js";
import type { BlockOf, MessageKind, ToolCallStateV1 } from "./states.js";
import type { AnyUpdate, GeneralUpdateV1, Variant } from "./updates.js";

/**
 * The state of one session that speaks version 1.
 *
 * A chunk with an id belongs to the message of its kind with that id. A chunk
 * without one continues the last entry of the timeline if that is an open message
 * of the same kind, else it starts a message: without ids, a change of what is
 * reported is the only boundary there is. The last `_meta` that came wins; only
 * in the patches that say so (compactions, subagents, messages between sessions)
 * does `null` remove it.
 */
export class SessionStateV1<Update extends AnyUpdate = GeneralUpdateV1> extends SessionState<
  Update,
  GeneralUpdateV1,
  ToolCallStateV1<Update>
> {
  /** The last plan without an id. */
  readonly plan?: Variant<Update, GeneralUpdateV1, "plan">;
  readonly mode?: Variant<Update, GeneralUpdateV1, "current_mode_update">;

  /** What `agent_message_clear` without an id means: the newest agent message, until it is closed. */
  #current: MessageEntity | undefined;
  /** What the next chunk without an id may continue. */
  #newest: MessageEntity | undefined;

  constructor() {
    super(SHAPES_V1);
  }

  /**
   * Notes the end of a prompt, which is the response to `session/prompt` and no
   * update: it closes the open messages. Content that is there stays.
   */
  endTurn(): void {
    this.#current = undefined;
    this.#newest = undefined;
  }

  /**
   * Adds a whole message of the user, as sent in `session/prompt`. Do not use it
   * with an agent that reports prompts back as `user_message_chunk`, since nothing
   * tells that the two are the same message.
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
        // Other than in the patches of this version, `null` metadata means none was sent.
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

  /** A user message closes what the agent said before it. */
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
