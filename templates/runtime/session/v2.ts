import { mergeMeta, type Entity } from "./patch.js";
import { SessionState, type MessageEntity } from "./session-state.js";
import { SHAPES_V2 } from "./shapes.js";
import type { MessageKind, TerminalState, ToolCallStateV2 } from "./states.js";
import type { AnyUpdate, EveryUpdateV2, GeneralUpdateV2, Variant } from "./updates.js";

/**
 * The state of one session in version 2.
 *
 * Everything has an id, and the first update with an id creates the item. In a patch, an absent
 * field is kept, `null` clears it and a value replaces it; `_meta` is merged by top-level key. A
 * chunk is appended; its `_meta` describes only the chunk and is not kept.
 */
export class SessionStateV2<Update extends AnyUpdate = EveryUpdateV2> extends SessionState<
  Update,
  GeneralUpdateV2,
  ToolCallStateV2<Update>
> {
  /** The last reported state of the foreground work; a session without one is idle. */
  readonly state?: Variant<Update, GeneralUpdateV2, "state_update">;
  /** Terminals of the agent. */
  readonly terminals: ReadonlyMap<string, TerminalState<Update>> = new Map();

  constructor() {
    super(SHAPES_V2);
  }

  protected override fold(update: GeneralUpdateV2): void {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
        return this.#addChunk("user_message", update);
      case "agent_message_chunk":
        return this.#addChunk("agent_message", update);
      case "agent_thought_chunk":
        return this.#addChunk("agent_thought", update);
      case "user_message":
      case "agent_message":
      case "agent_thought":
        return this.#patchMessage(update.sessionUpdate, update);
      case "agent_message_clear": {
        const message = this.findMessage("agent_message", update.messageId);
        if (message !== undefined) this.clear(message);
        return;
      }
      case "tool_call_update":
        return this.#patchToolCall(update);
      case "tool_call_content_chunk":
        return this.#addToolContent(update);
      case "terminal_update":
        return this.#patchTerminal(update);
      case "terminal_output_chunk":
        return this.#addOutput(update);
      case "state_update":
        return this.keepLast("state", update);
      case "usage_update":
        return this.keepLast("usage", this.#withCost(update));
      default:
        return this.foldCommon(update);
    }
  }

  protected override patchMeta(entity: Entity, change: unknown): void {
    mergeMeta(entity, change);
  }

  #message(kind: MessageKind, messageId: string): MessageEntity {
    return this.findMessage(kind, messageId) ?? this.addMessage(kind, messageId);
  }

  #addChunk(kind: MessageKind, update: Update2<`${MessageKind}_chunk`>): void {
    this.append(this.#message(kind, update.messageId), "content", update.content);
  }

  #patchMessage(kind: MessageKind, update: Update2<MessageKind>): void {
    this.patch(this.#message(kind, update.messageId), { ...update, kind }, "content");
  }

  #toolCall(toolCallId: string): Entity {
    return this.entity(
      this.toolCalls,
      toolCallId,
      () => ({ toolCallId, kind: "other", status: "pending", content: [], locations: [] }),
      (toolCall) => this.addToTimeline({ type: "tool_call", toolCall }),
    );
  }

  #patchToolCall(update: Update2<"tool_call_update">): void {
    const toolCall = this.#toolCall(update.toolCallId);
    this.patch(toolCall, update, "content");
    toolCall["kind"] ??= "other";
    toolCall["status"] ??= "pending";
    toolCall["locations"] ??= [];
  }

  /** Appends an item to the content of a tool call; unlike the text of messages, items are never merged. */
  #addToolContent({ toolCallId, content }: Update2<"tool_call_content_chunk">): void {
    const toolCall = this.#toolCall(toolCallId);
    (toolCall["content"] as unknown[]).push(content);
    this.touch(toolCall);
  }

  #terminal(terminalId: string): Entity {
    return this.entity(this.terminals, terminalId, () => ({ terminalId }));
  }

  #patchTerminal(update: Update2<"terminal_update">): void {
    const { output, ...fields } = update;
    const terminal = this.#terminal(update.terminalId);
    if (output) {
      const { data, ...rest } = output;
      terminal["output"] = { ...rest, chunks: [data] };
    } else if (output === null) delete terminal["output"];
    this.patch(terminal, fields);
  }

  #addOutput({ terminalId, data }: Update2<"terminal_output_chunk">): void {
    const terminal = this.#terminal(terminalId);
    const output = (terminal["output"] ??= { chunks: [] }) as { readonly chunks: string[] };
    output.chunks.push(data);
    this.touch(terminal);
  }

  /** Keeps the last reported cost when it is absent; `null` removes it. */
  #withCost(update: Update2<"usage_update">): object {
    const { cost, ...usage } = update;
    const last = this.usage as Update2<"usage_update"> | undefined;
    const kept = cost === undefined ? last?.cost : cost;
    return kept ? { ...usage, cost: kept } : usage;
  }
}

type Update2<Tag> = Extract<GeneralUpdateV2, { readonly sessionUpdate: Tag }>;
