import { INITIALIZE, key } from "../runtime/conformance/conversation.js";
import { at, textOf } from "../runtime/conformance/select.js";
import type { Recorded } from "./record.js";

/** The `initialize` exchange among the first messages of a conversation. */
export interface Handshake {
  /** The id of the first `initialize` among them, as a key; absent without one. */
  readonly id?: string;
  /** The version that was agreed on, otherwise the one that was requested. */
  readonly version?: number;
  /** Whether the answer is among the messages, so that later messages do not change the version. */
  readonly isAgreed: boolean;
}

/** Returns the id of an `initialize` request as a key; undefined for any other message. */
export function handshakeId({ message }: Recorded): string | undefined {
  const isHandshake = INITIALIZE.includes(textOf(at(message, "method")));
  const id = at(message, "id");
  return isHandshake && id !== undefined ? key(id) : undefined;
}

/** Reads the version of a conversation from its `initialize` and the answer to it. */
export function findHandshake(messages: readonly Recorded[]): Handshake {
  let handshake: Handshake = { isAgreed: false };
  for (const recorded of messages) {
    const { message } = recorded;
    const id = handshakeId(recorded);
    const { id: asked } = handshake;
    if (asked === undefined && id !== undefined) {
      const version = at(message, "params", "protocolVersion");
      handshake = { id, isAgreed: false, ...(typeof version === "number" && { version }) };
    }
    const isAnswer = asked !== undefined && at(message, "method") === undefined;
    if (!isAnswer || key(at(message, "id")) !== asked) continue;
    const agreed = at(message, "result", "protocolVersion");
    return { ...handshake, isAgreed: true, ...(typeof agreed === "number" && { version: agreed }) };
  }
  return handshake;
}
