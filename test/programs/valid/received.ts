import {
  schemas,
  type ContentBlock,
  type received,
  type SessionUpdate,
  type ToolKind,
} from "acp-bindings/v1";
import type { Equal, Expect } from "../equal.js";

// A decoded value may hold variants that this version does not know; a switch narrows all the same.
export function show(value: unknown): string {
  const decoded = schemas.SessionNotification.decode(value);
  if (!decoded.ok) return decoded.issues.map(({ pointer }) => pointer).join();
  const { update } = decoded.value;
  switch (update.sessionUpdate) {
    case "agent_message_chunk":
      return update.content.type === "text" ? update.content.text : "";
    case "plan":
      return update.entries.map(({ content }) => content).join();
    default:
      return schemas.SessionUpdate.isUnknown(update)
        ? String(update["anything"])
        : update.sessionUpdate;
  }
}

// An enumeration too.
export type Kind = Expect<Equal<received.ToolKind, ToolKind | (string & {})>>;

// A value that may be sent may also be received.
export const sent = (update: SessionUpdate): received.SessionUpdate => update;

// A received value is sent on once it is known to be valid.
export function forward(blocks: readonly received.ContentBlock[]): ContentBlock[] {
  return blocks.filter(schemas.ContentBlock.is);
}
