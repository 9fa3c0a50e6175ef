import { isRecord } from "../runtime/rpc/messages.js";
import { otherSide, type Side } from "../runtime/conformance/transcript.js";

/** A message as a recording has it. */
export interface Recorded {
  readonly message: unknown;
  /** Who sent it; absent where the recording does not say. */
  readonly from?: Side;
}

/** Properties in which recorders say who sent a message. */
const SENDER_KEYS = ["from", "direction", "dir"];

/** Properties in which they keep the message itself, as a value or as its text. */
const MESSAGE_KEYS = ["message", "msg", "frame", "line", "rpc", "json", "payload"];

/** Their values, in letters and digits only: the sender, or the direction as the recorder sees it. */
const SENDERS: { readonly [word: string]: Side | "recorder" | "other" } = {
  ...{ client: "client", fromclient: "client", toagent: "client" },
  ...{ c2a: "client", clienttoagent: "client", clientagent: "client" },
  ...{ agent: "agent", fromagent: "agent", toclient: "agent" },
  ...{ a2c: "agent", agenttoclient: "agent", agentclient: "agent" },
  ...{ out: "recorder", outgoing: "recorder", send: "recorder", sent: "recorder" },
  ...{ in: "other", incoming: "other", recv: "other", received: "other" },
};

/**
 * Reads what one line of a recording holds: a message as it was sent, a message
 * with its sender beside it, or one wrapped together with its sender, as
 * recorders of several projects write it.
 *
 * @param value the line as JSON
 * @param recorder the side that wrote the recording, where it says `in` and `out`
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

/** Whether a line describes the recording instead of holding a message. */
export function isHeader(value: unknown): boolean {
  return isRecord(value) && readRecord(value).message === value && !isMessage(value);
}

function senderOf(word: unknown, recorder: Side): Side | undefined {
  if (typeof word !== "string" || word.length > 32) return undefined;
  const plain = Object.hasOwn(SENDERS, word) ? word : word.toLowerCase().replace(/[^a-z0-9]/g, "");
  const said = Object.hasOwn(SENDERS, plain) ? SENDERS[plain] : undefined;
  if (said === "recorder") return recorder;
  return said === "other" ? otherSide(recorder) : said;
}

/** Whether a value has a member that only messages have. */
function isMessage(value: unknown): boolean {
  return isRecord(value) && MEMBERS.some((member) => Object.hasOwn(value, member));
}

const MEMBERS = ["jsonrpc", "method", "result", "error"];
