import { INITIALIZING, key } from "../../typescript/runtime/conformance/conversation.js";
import { at, textOf } from "../../typescript/runtime/conformance/select.js";
import type { Recorded } from "./record.js";

/** The `initialize` exchanges among the first messages of a conversation. */
export interface RecordedHandshake {
  /** The id of each `initialize` until one is accepted, as a key. */
  readonly ids: readonly string[];
  /** The version that was agreed on, otherwise the one that was requested last. */
  readonly version?: number;
  /** Whether one is accepted, so that later messages do not change the version. */
  readonly isAgreed: boolean;
}

/** Returns the id of an `initialize` request as a key; undefined for any other message. */
export function handshakeId({ message }: Recorded): string | undefined {
  const isHandshake = INITIALIZING.includes(textOf(at(message, "method")));
  const id = at(message, "id");
  return isHandshake && id !== undefined ? key(id) : undefined;
}

/** Reads the version of a conversation from the first `initialize` that is accepted. */
export function findHandshake(messages: readonly Recorded[]): RecordedHandshake {
  const ids: string[] = [];
  let version: number | undefined;
  for (const recorded of messages) {
    const { message } = recorded;
    const id = handshakeId(recorded);
    if (id !== undefined) {
      ids.push(id);
      version = numberOr(version, at(message, "params", "protocolVersion"));
    }
    const isResult = at(message, "method") === undefined && at(message, "result") !== undefined;
    if (!isResult || !ids.includes(key(at(message, "id")))) continue;
    version = numberOr(version, at(message, "result", "protocolVersion"));
    return { ids, isAgreed: true, ...(version !== undefined && { version }) };
  }
  return { ids, isAgreed: false, ...(version !== undefined && { version }) };
}

function numberOr(otherwise: number | undefined, value: unknown): number | undefined {
  return typeof value === "number" ? value : otherwise;
}
