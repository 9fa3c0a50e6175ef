import { ContentBlock, SessionNotification } from "acp-bindings/v1/schemas";

// Nothing is known before the validator has said yes.
export function unchecked(value: unknown): SessionNotification {
  return value; // @error 2322
}

// And nothing when it has said no.
export function refused(value: unknown): ContentBlock {
  if (!ContentBlock.is(value)) return value; // @error 2322
  return value;
}

// Another validator's word does not count.
export function mistaken(value: unknown): ContentBlock | undefined {
  return SessionNotification.is(value) ? value : undefined; // @error 2322
}
