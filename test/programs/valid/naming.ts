import {
  RENAMES,
  toSnakeCaseToolCall,
  toWireSessionNotification,
  type SessionNotification,
  type SnakeCase,
  type ToolCall,
} from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// Declared properties are renamed in the type as they are in the value.
export const notification: SessionNotification = toWireSessionNotification({
  session_id: "s",
  update: {
    session_update: "tool_call_update",
    tool_call_id: "t",
    raw_input: { anyName: 1 },
    _meta: { anyName: 1 },
  },
});

export function idOf(call: ToolCall): string {
  const { tool_call_id, locations } = toSnakeCaseToolCall(call);
  return `${tool_call_id} ${locations?.[0]?.line ?? ""}`;
}

// Optional stays optional, and what holds any names keeps them.
export type Names = Expect<Equal<Pick<SnakeCase<ToolCall>, "_meta">, Pick<ToolCall, "_meta">>>;

export const table: "session_id" = RENAMES.sessionId;
