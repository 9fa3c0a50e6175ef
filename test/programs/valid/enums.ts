import type { ErrorCode, NoticeSeverity, StopReason, ToolKind } from "acp-bindings/v1";
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

// An open one also takes any other value, and any string can be passed on as it is.
declare const received: string;
export const severities: NoticeSeverity[] = ["info", "_custom", received];
export const codes: ErrorCode[] = [-32700, -32800, 12345];

export function isLoud(severity: NoticeSeverity): boolean {
  return severity === "error" || severity === "_alarm" || severity.startsWith("_");
}
