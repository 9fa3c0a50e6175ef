/**
 * The session updates that the state of a session knows. A profile's own `SessionUpdate` is more
 * specific: given as type argument, it replaces these general shapes in all types of the state.
 */

/** The property that every update has. */
export interface AnyUpdate {
  readonly sessionUpdate: string;
}

/** An update that the profile does not know. */
export interface ExtensionUpdate {
  readonly sessionUpdate: `_${string}`;
}

export interface Metadata {
  readonly [key: string]: unknown;
}

/** A content block of any type, or the content of a tool call. */
export interface Block {
  readonly type: string;
}

interface WithMeta {
  readonly _meta?: Metadata | null | undefined;
}

type Tagged<Tag extends string, Fields> = { readonly sessionUpdate: Tag } & Fields & WithMeta;

interface Chunk {
  readonly messageId?: string | null | undefined;
  readonly content: Block;
}

interface Upsert {
  readonly messageId: string;
  readonly content?: readonly Block[] | null | undefined;
}

interface ToolCall {
  readonly toolCallId: string;
  readonly title?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly kind?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly content?: readonly Block[] | null | undefined;
  readonly locations?: readonly { readonly path: string }[] | null | undefined;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

interface Compaction {
  readonly compactionId: string;
  readonly status: string;
  readonly summary?: readonly Block[] | null | undefined;
  readonly error?: string | null | undefined;
}

interface Subagent {
  readonly sessionId: string;
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly capabilities?: object | null | undefined;
  readonly state?: { readonly state: string } | null | undefined;
  readonly cwd?: string | null | undefined;
  readonly additionalDirectories?: readonly string[] | null | undefined;
}

interface SessionMessage extends Upsert {
  readonly senderSessionId?: string | null | undefined;
  readonly recipientSessionId?: string | null | undefined;
  readonly senderMessageId?: string | null | undefined;
  readonly recipientMessageId?: string | null | undefined;
}

interface Terminal {
  readonly terminalId: string;
  readonly command?: string | null | undefined;
  readonly cwd?: string | null | undefined;
  readonly output?: ({ readonly data: string } & WithMeta) | null | undefined;
  readonly exitStatus?: object | null | undefined;
  readonly size?: { readonly cols: number; readonly rows: number } | null | undefined;
  readonly capabilities?: object | null | undefined;
}

interface Usage {
  readonly used: number;
  readonly size: number;
  readonly cost?: { readonly amount: number; readonly currency: string } | null | undefined;
}

interface Notice {
  readonly severity: string;
  readonly title: string;
  readonly description?: string | null | undefined;
}

interface Named {
  readonly name: string;
}

interface Info {
  readonly title?: string | null | undefined;
  readonly updatedAt?: string | null | undefined;
}

/** The updates with the same meaning in both versions, except for the way they change `_meta`. */
export type CommonUpdate =
  | Tagged<"plan_update", { readonly plan: { readonly type: string; readonly planId: string } }>
  | Tagged<"plan_removed", { readonly planId: string }>
  | Tagged<"available_commands_update", { readonly availableCommands: readonly Named[] }>
  | Tagged<"config_option_update", { readonly configOptions: readonly Named[] }>
  | Tagged<"session_info_update", Info>
  | Tagged<"usage_update", Usage>
  | Tagged<"notice", Notice>
  | Tagged<"compaction_update", Compaction>
  | Tagged<"compaction_summary_chunk", { readonly compactionId: string; readonly content: Block }>
  | Tagged<"subagent_update", Subagent>
  | Tagged<"session_message", SessionMessage>
  | Tagged<"session_message_chunk", { readonly messageId: string; readonly content: Block }>;

/** The updates of version 1, all features included. */
export type GeneralUpdateV1 =
  | CommonUpdate
  | Tagged<"user_message_chunk", Chunk>
  | Tagged<"agent_message_chunk", Chunk>
  | Tagged<"agent_thought_chunk", Chunk>
  | Tagged<"agent_message_clear", { readonly messageId?: string | null | undefined }>
  | Tagged<"tool_call", ToolCall>
  | Tagged<"tool_call_update", ToolCall>
  | Tagged<"plan", { readonly entries: readonly { readonly content: string }[] }>
  | Tagged<"current_mode_update", { readonly currentModeId: string }>;

/** The updates of version 2, all features included. */
export type GeneralUpdateV2 =
  | CommonUpdate
  | Tagged<"user_message_chunk", Chunk & { readonly messageId: string }>
  | Tagged<"agent_message_chunk", Chunk & { readonly messageId: string }>
  | Tagged<"agent_thought_chunk", Chunk & { readonly messageId: string }>
  | Tagged<"user_message", Upsert>
  | Tagged<"agent_message", Upsert>
  | Tagged<"agent_thought", Upsert>
  | Tagged<"agent_message_clear", { readonly messageId: string }>
  | Tagged<"tool_call_update", ToolCall & { readonly capabilities?: object | null | undefined }>
  | Tagged<"tool_call_content_chunk", { readonly toolCallId: string; readonly content: Block }>
  | Tagged<"terminal_update", Terminal>
  | Tagged<"terminal_output_chunk", { readonly terminalId: string; readonly data: string }>
  | Tagged<"state_update", { readonly state: string }>;

/** The updates of any profile of version 1, with kinds that this module does not name. */
export type EveryUpdateV1 = GeneralUpdateV1 | AnyUpdate;

/** The updates of any profile of version 2, with kinds that this module does not name. */
export type EveryUpdateV2 = GeneralUpdateV2 | AnyUpdate;

/** The update with a tag: the profile's type if it has one, otherwise the general shape. */
export type Variant<Update extends AnyUpdate, General extends AnyUpdate, Tag extends string> = [
  Extract<Update, { readonly sessionUpdate: Tag }>,
] extends [never]
  ? Extract<General, { readonly sessionUpdate: Tag }>
  : Extract<Update, { readonly sessionUpdate: Tag }>;
