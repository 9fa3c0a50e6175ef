import { isRecord } from "../rpc/messages.js";
import type { AnyUpdate, CommonUpdate, GeneralUpdateV1, GeneralUpdateV2 } from "./updates.js";

/** The required type of a field; with `?` it may be absent or null. */
type Check = "string" | "string?" | "object" | "object?" | "array" | "array?";

interface Shape {
  readonly [field: string]: Check;
}

export type Shapes<General extends AnyUpdate> = { readonly [T in General["sessionUpdate"]]: Shape };

const COMMON: Shapes<CommonUpdate> = {
  plan_update: { plan: "object" },
  plan_removed: { planId: "string" },
  available_commands_update: {},
  config_option_update: {},
  session_info_update: {},
  usage_update: {},
  notice: {},
  compaction_update: { compactionId: "string", summary: "array?" },
  compaction_summary_chunk: { compactionId: "string", content: "object" },
  subagent_update: { sessionId: "string" },
  session_message: { messageId: "string", content: "array?" },
  session_message_chunk: { messageId: "string", content: "object" },
};

const CHUNK: Shape = { messageId: "string", content: "object" };
const CHUNK_V1: Shape = { messageId: "string?", content: "object" };
const UPSERT: Shape = { messageId: "string", content: "array?" };
const TOOL_CALL: Shape = { toolCallId: "string", content: "array?", locations: "array?" };

export const SHAPES_V1: Shapes<GeneralUpdateV1> = {
  ...COMMON,
  user_message_chunk: CHUNK_V1,
  agent_message_chunk: CHUNK_V1,
  agent_thought_chunk: CHUNK_V1,
  agent_message_clear: { messageId: "string?" },
  tool_call: TOOL_CALL,
  tool_call_update: TOOL_CALL,
  plan: {},
  current_mode_update: {},
};

export const SHAPES_V2: Shapes<GeneralUpdateV2> = {
  ...COMMON,
  user_message_chunk: CHUNK,
  agent_message_chunk: CHUNK,
  agent_thought_chunk: CHUNK,
  user_message: UPSERT,
  agent_message: UPSERT,
  agent_thought: UPSERT,
  agent_message_clear: { messageId: "string" },
  tool_call_update: TOOL_CALL,
  tool_call_content_chunk: { toolCallId: "string", content: "object" },
  terminal_update: { terminalId: "string", output: "object?" },
  terminal_output_chunk: { terminalId: "string", data: "string" },
  state_update: {},
};

/**
 * Returns whether an update has a known tag and can be read safely. A profile without a feature
 * does not decode the feature's updates, so they may have any shape.
 */
export function isKnown<General extends AnyUpdate>(
  shapes: Shapes<General>,
  update: AnyUpdate,
): update is General {
  const tag = update.sessionUpdate;
  if (!Object.hasOwn(shapes, tag)) return false;
  const shape = shapes[tag as General["sessionUpdate"]];
  return Object.entries(shape).every(([field, check]) =>
    passes(check, (update as unknown as Record<string, unknown>)[field]),
  );
}

function passes(check: Check, value: unknown): boolean {
  switch (check) {
    case "string":
      return typeof value === "string";
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "string?":
      return value === undefined || value === null || typeof value === "string";
    case "object?":
      return value === undefined || value === null || isRecord(value);
    case "array?":
      return value === undefined || value === null || Array.isArray(value);
    default:
      return check satisfies never;
  }
}
