export { SessionsV1, SessionsV2, type UpdateNotification } from "./accumulator.js";
export type { SessionState } from "./session-state.js";
export type {
  BlockOf,
  CompactionState,
  CursorState,
  InfoState,
  Kept,
  MessageKind,
  MessageState,
  Mode,
  Recent,
  Revised,
  SessionMessageState,
  SubagentState,
  TerminalOutputState,
  TerminalState,
  TimelineEntry,
  ToolCallStateV1,
  ToolCallStateV2,
} from "./states.js";
export type { StateTable } from "./state-table.js";
export type { AnyUpdate, Block, ExtensionUpdate, Metadata, Variant } from "./updates.js";
export { SessionStateV1 } from "./v1.js";
export { SessionStateV2 } from "./v2.js";
