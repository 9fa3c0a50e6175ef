export { SessionsV1, SessionsV2, type UpdateNotification } from "./accumulator.js";
export type { SessionState } from "./session-state.js";
export type {
  BlockOf,
  CompactionState,
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
export type {
  AnyUpdate,
  Block,
  ExtensionUpdate,
  GeneralUpdateV1,
  GeneralUpdateV2,
  Metadata,
  Variant,
} from "./updates.js";
export { SessionStateV1 } from "./v1.js";
export { SessionStateV2 } from "./v2.js";
