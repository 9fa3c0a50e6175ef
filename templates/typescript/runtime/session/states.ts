import type { AnyUpdate, Block, Metadata, Variant } from "./updates.js";

/** A value that grows or changes in place. */
export interface Revised {
  /** The session's `revision` when this last changed. */
  readonly revision: number;
}

/**
 * The stored fields of an update: without tag and `null`, and absent until they were reported,
 * except for the fields that are always present.
 */
export type Kept<Update, Always extends string> = Revised & {
  readonly [K in keyof Update as Exclude<K, "sessionUpdate" | Always>]?: Value<Update[K]>;
} & { readonly [K in keyof Update as Extract<K, Always>]-?: Value<Update[K]> };

type Value<T> = T extends null | undefined
  ? never
  : T extends readonly (infer Item)[]
    ? readonly Item[]
    : T;

/** A content block in the profile's message type. */
export type BlockOf<Update extends AnyUpdate> =
  Variant<Update, "agent_message_chunk"> extends { readonly content: infer Content }
    ? Content
    : Block;

/** One message. Thoughts are messages with a kind of their own. */
export interface MessageState<Block> extends Revised {
  readonly kind: MessageKind;
  /** Unique among the messages of the same kind; absent when the agent sent none. */
  readonly messageId?: string;
  /** The blocks of the message; adjacent chunks of plain text are merged into one block. */
  readonly content: readonly Block[];
  /** Version 1: the last metadata of the message's updates. Version 2: the patched metadata. */
  readonly _meta?: Metadata;
}

export type MessageKind = "user_message" | "agent_message" | "agent_thought";

/** A mode of a session in version 1. */
export interface Mode {
  readonly id: string;
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly _meta?: Metadata | null | undefined;
}

export type ToolCallStateV1<Update extends AnyUpdate> = Kept<
  Variant<Update, "tool_call">,
  "toolCallId" | "content" | "locations"
>;

export type ToolCallStateV2<Update extends AnyUpdate> = Kept<
  Variant<Update, "tool_call_update">,
  "toolCallId" | "kind" | "status" | "content" | "locations"
>;

export type CompactionState<Update extends AnyUpdate> = Kept<
  Variant<Update, "compaction_update">,
  "compactionId" | "status" | "summary"
>;

/** A message from or to another session. */
export type SessionMessageState<Update extends AnyUpdate> = Kept<
  Variant<Update, "session_message">,
  "messageId" | "content"
>;

/** A child session, as its parent reports it. */
export type SubagentState<Update extends AnyUpdate> = Kept<
  Variant<Update, "subagent_update">,
  "sessionId"
>;

/** A position in the history of a session. */
export type CursorState<Update extends AnyUpdate> = Kept<
  Variant<Update, "cursor_update">,
  "cursorId"
>;

/** The title of the session and the time of its last activity. */
export type InfoState<Update extends AnyUpdate> = Kept<
  Variant<Update, "session_info_update">,
  never
>;

/** The tokens that the end of a turn reports. */
export interface TurnUsage {
  readonly totalTokens: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly thoughtTokens?: number | null | undefined;
  readonly cachedReadTokens?: number | null | undefined;
  readonly cachedWriteTokens?: number | null | undefined;
  readonly _meta?: Metadata | null | undefined;
}

/** A terminal of the agent (version 2). */
export type TerminalState<Update extends AnyUpdate> = Omit<
  Kept<Variant<Update, "terminal_update">, "terminalId">,
  "output"
> & { readonly output?: TerminalOutputState };

export interface TerminalOutputState {
  /** The output, in chunks that are base64-encoded separately: decode them first, then concatenate. */
  readonly chunks: readonly string[];
  /** The metadata of the last snapshot. */
  readonly _meta?: Metadata;
}

/** An item of the timeline, at the position of its first appearance. */
export type TimelineEntry<Block, ToolCall, Compaction, SessionMessage> =
  | { readonly type: "message"; readonly message: MessageState<Block> }
  | { readonly type: "tool_call"; readonly toolCall: ToolCall }
  | { readonly type: "compaction"; readonly compaction: Compaction }
  | { readonly type: "session_message"; readonly sessionMessage: SessionMessage };

/** The most recent of many items; bounded, since their number is unlimited. */
export interface Recent<Item> {
  /** At most the last 1,000, oldest first. */
  readonly items: readonly Item[];
  /** The total number of items. */
  readonly count: number;
}
