import { isRecord } from "../../typescript/runtime/rpc/messages.js";
import { otherSide, type Side } from "../../typescript/runtime/conformance/transcript.js";

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
  if (from !== undefined) {
    const message: unknown = typeof wrapped === "string" ? JSON.parse(wrapped) : wrapped;
    return { message, from };
  }
  const message = typeof wrapped === "string" ? jsonOrNone(wrapped) : wrapped;
  return { message: isMessage(message) ? message : value };
}

function jsonOrNone(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Something that was recorded besides messages. */
export interface RecordedEvent {
  /** `end`: a side closed its output; `text`: a line of a log that is about something else. */
  readonly kind: "header" | "stderr" | "signal" | "end" | "exit" | "lost" | "text";
  readonly from?: Side;
  readonly text?: string;
  readonly code?: number;
  readonly signal?: string;
}

/** The values with which recorders mark records that are not messages. */
const EVENTS: { readonly [word: string]: RecordedEvent["kind"] } = {
  ...{ stderr: "stderr", signal: "signal", end: "end", eof: "end" },
  ...{ exit: "exit", exited: "exit", lost: "lost" },
};

/** Properties in which recorders store these values. */
const EVENT_KEYS = ["kind", "stream", "event", "type", ...SENDER_KEYS];

/**
 * Reads a record that is not a message: standard error, an end, or the header of a recording.
 *
 * @returns undefined for any other value
 */
export function readEvent(value: unknown): RecordedEvent | undefined {
  if (!isRecord(value) || isMessage(value)) return undefined;
  if (Object.hasOwn(value, "recording")) return { kind: "header" };
  const [kind] = EVENT_KEYS.flatMap((key) => {
    const word = Object.hasOwn(value, key) ? value[key] : undefined;
    return typeof word === "string" && Object.hasOwn(EVENTS, word) ? EVENTS[word]! : [];
  });
  if (kind === undefined) return undefined;
  const from = value["from"] === "client" ? "client" : "agent";
  const text = ["text", ...MESSAGE_KEYS].map((key) => value[key]).find(isText);
  const { code, signal } = value;
  return {
    kind,
    from,
    ...(text !== undefined && { text }),
    ...(typeof code === "number" && { code }),
    ...(typeof signal === "string" && { signal }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns the line that a side has sent and that is not JSON; undefined for any other record. */
export function readBrokenLine(
  value: unknown,
): { readonly from: Side; readonly text: string; readonly reason?: string } | undefined {
  if (!isRecord(value) || isMessage(value)) return undefined;
  const { from, text, reason } = value;
  if ((from !== "agent" && from !== "client") || typeof text !== "string") return undefined;
  return { from, text, ...(typeof reason === "string" && { reason }) };
}

/** Properties in which recorders store the time. */
const TIME_KEYS = ["time", "timestamp", "ts", "ts_ms", "t_ms", "t", "at"];

/** Returns when a record was made, in milliseconds; undefined when it does not say. */
export function timeOf(value: unknown): number | undefined {
  if (!isRecord(value)) return undefined;
  const key = TIME_KEYS.find((name) => Object.hasOwn(value, name));
  const time = key === undefined ? undefined : value[key];
  if (typeof time === "string") return numberOrNone(Date.parse(time));
  if (typeof time !== "number") return undefined;
  // Seconds since 1970 have ten digits.
  return time > 1e8 && time < 1e11 ? time * 1000 : time;
}

function numberOrNone(time: number): number | undefined {
  return Number.isNaN(time) ? undefined : time;
}

function senderOf(word: unknown, recorder: Side): Side | undefined {
  if (typeof word !== "string" || word.length > 32) return undefined;
  const plain = Object.hasOwn(SENDERS, word) ? word : word.toLowerCase().replace(/[^a-z0-9]/g, "");
  const sender = Object.hasOwn(SENDERS, plain) ? SENDERS[plain] : undefined;
  if (sender === "recorder") return recorder;
  return sender === "other" ? otherSide(recorder) : sender;
}

/** Returns whether a value has the members of a message; records of logs may have some of them. */
export function isMessage(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const has = (...members: string[]): boolean =>
    members.some((member) => Object.hasOwn(value, member));
  return (
    has("jsonrpc") ||
    (has("id") ? has("method", "result", "error") : has("method") && has("params"))
  );
}
