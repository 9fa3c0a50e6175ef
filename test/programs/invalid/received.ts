import {
  decodeContentBlock,
  toWireSessionNotification,
  type ContentBlock,
  type received,
} from "acp-bindings/v1";

// What was received may hold what this version does not know, which must not be sent.
export function forward(block: received.ContentBlock): ContentBlock {
  return block; // @error 2322
}

// A decode that failed has no value.
export function careless(value: unknown): unknown {
  return decodeContentBlock(value).value; // @error 2339
}

// Names of the wire do not exist outside.
export const notification = toWireSessionNotification({
  sessionId: "s", // @error 2561
  update: { session_update: "plan", entries: [] },
});
