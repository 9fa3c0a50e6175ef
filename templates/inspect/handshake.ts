import { INITIALIZE, key } from "../runtime/conformance/conversation.js";
import { at, textOf } from "../runtime/conformance/select.js";
import type { Recorded } from "./record.js";

/** What the first messages of a conversation tell about it. */
export interface Opening {
  /** The id of the first `initialize` among them, as a key; absent where there is none. */
  readonly id?: string;
  /** The version that was agreed on, else the one that was asked for. */
  readonly version?: number;
  /** Whether the answer to it was seen, so that nothing is left to wait for. */
  readonly isAgreed: boolean;
}

/** The id of an `initialize` request, as a key; nothing for any other message. */
export function openingId({ message }: Recorded): string | undefined {
  const isOpening = INITIALIZE.includes(textOf(at(message, "method")));
  const id = at(message, "id");
  return isOpening && id !== undefined ? key(id) : undefined;
}

/** Reads the version of a conversation from its `initialize` and the answer to it. */
export function findOpening(messages: readonly Recorded[]): Opening {
  let opening: Opening = { isAgreed: false };
  for (const recorded of messages) {
    const { message } = recorded;
    const id = openingId(recorded);
    const { id: asked } = opening;
    if (asked === undefined && id !== undefined) {
      const version = at(message, "params", "protocolVersion");
      opening = { id, isAgreed: false, ...(typeof version === "number" && { version }) };
    }
    const isAnswer = asked !== undefined && at(message, "method") === undefined;
    if (!isAnswer || key(at(message, "id")) !== asked) continue;
    const agreed = at(message, "result", "protocolVersion");
    return { ...opening, isAgreed: true, ...(typeof agreed === "number" && { version: agreed }) };
  }
  return opening;
}
