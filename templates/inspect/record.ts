import { isRecord } from "../runtime/rpc/messages.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";

/** A message as it was recorded. */
export interface Recorded {
  readonly message: unknown;
  /** The sender; absent when the recording does not contain it. */
  readonly from?: Side;
}

/** Properties in which recorders store the sender of a message. */
const SENDER_KEYS = ["from", "direction", "dir"];

/** Properties in which recorders store the message itself, as a value or as text. */
const MESSAGE_KEYS = ["message", "msg", "frame", "line", "rpc", "json", "payload"];

/**
 * The values of the sender property, reduced to letters and digits: a sender, or a direction from
 * the recorder's point of view.
 */
const SENDERS: { readonly [word: string]: Side | "recorder" | "other" } = {
  ...{ client: "client", fromclient: "client", toagent: "client" },
  ...{ c2a: "client", clienttoagent: "client", clientagent: "client" },
  ...{ agent: "agent", fromagent: "agent", toclient: "agent" },
  ...{ a2c: "agent", agenttoclient: "agent", agentclient: "agent" },
  ...{ out: "recorder", outgoing: "recorder", send: "recorder", sent: "recorder" },
  ...{ in: "other", incoming: "other", recv: "other", received: "other" },
};

/**
 * Reads one line of a recording: a plain message, a message with the sender as an additional
 * property, or a wrapper that contains the message and its sender, as recorders of several
 * projects write it.
 *
 * @param value the line as JSON
 * @param recorder the side that wrote the recording, for the directions `in` and `out`
 * @throws SyntaxError for a wrapped text that is not JSON
 */
export function readRecord(value: unknown, recorder: Side = "client"): Recorded {
  if (!isRecord(value)) return { message: value };
  let from: Side | undefined;
  const senderKey = SENDER_KEYS.find((key) => {
    from ??= Object.hasOwn(value, key) ? senderOf(value[key], recorder) : undefined;
    return from !== undefined;
  });
  if (isMessage(value)) {
    if (from === undefined) return { message: value };
    const { [senderKey!]: _, ...message } = value;
    return { message, from };
  }
  const messageKey = MESSAGE_KEYS.find((key) => Object.hasOwn(value, key));
  if (messageKey === undefined) return { message: value };
  const wrapped = value[messageKey];
  const message: unknown = typeof wrapped === "string" ? JSON.parse(wrapped) : wrapped;
  if (from !== undefined) return { message, from };
  return { message: isMessage(message) ? message : value };
}

/** Returns whether a line describes the recording instead of a message. */
export function isHeader(value: unknown): boolean {
  return isRecord(value) && readRecord(value).message === value && !isMessage(value);
}

function senderOf(word: unknown, recorder: Side): Side | undefined {
  if (typeof word !== "string" || word.length > 32) return undefined;
  const plain = Object.hasOwn(SENDERS, word) ? word : word.toLowerCase().replace(/[^a-z0-9]/g, "");
  const sender = Object.hasOwn(SENDERS, plain) ? SENDERS[plain] : undefined;
  if (sender === "recorder") return recorder;
  return sender === "other" ? otherSide(recorder) : sender;
}

/** Returns whether a value has a member that only messages have. */
function isMessage(value: unknown): boolean {
  return isRecord(value) && MEMBERS.some((member) => Object.hasOwn(value, member));
}

const MEMBERS = ["jsonrpc", "method", "result", "error"];
