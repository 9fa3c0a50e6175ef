import type { ErrorCode, NoticeSeverity, received, StopReason, ToolKind } from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// A closed enumeration is exactly its values.
export type Closed = Expect<
  Equal<StopReason, "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled">
>;

export function icon(kind: ToolKind): number {
  switch (kind) {
    case "read":
    case "edit":
    case "delete":
    case "move":
    case "search":
    case "execute":
    case "think":
    case "fetch":
    case "switch_mode":
    case "other":
      return kind.length;
    default:
      return kind satisfies never;
  }
}

// An open one is sent with names of its own as well, and may be received with any.
export const severities: NoticeSeverity[] = ["info", "_custom"];
export const kept: received.NoticeSeverity[] = [...severities, "later"];
export const codes: ErrorCode[] = [-32700, -32800, 12345];

export function isLoud(severity: NoticeSeverity): boolean {
  return severity === "error" || severity === "_alarm" || severity.startsWith("_");
}
