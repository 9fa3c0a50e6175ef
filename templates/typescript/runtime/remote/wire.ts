/*
 * The wire of the HTTP transport, which the page "Run agents remotely" documents as a table: headers and
 * rules that clients and servers in every language share.
 *
 * `Acp-Connection-Id` and `Acp-Session-Id` are those of the protocol's proposal. The others are
 * additions: a server announces them with `Acp-Event-Order`, and peers that do not know them
 * ignore them.
 */
import { isRecord, type RequestId } from "../rpc/messages.js";

/** Names the connection; the answer to `initialize` has it, and every later request. */
export const CONNECTION_ID = "Acp-Connection-Id";

/** Names the session of a stream, or of the message in a request. */
export const SESSION_ID = "Acp-Session-Id";

/**
 * Announces, with the value `connection`, that the ids of events number all messages of the
 * connection across its streams, from 1 on. Without it, the ids of events are opaque.
 */
export const EVENT_ORDER = "Acp-Event-Order";

/** The value of `EVENT_ORDER`. */
export const OF_CONNECTION = "connection";

/**
 * Numbers the messages of a client from 1 on, for servers that announce `EVENT_ORDER`: a message
 * that is sent again is taken once. The answer to `initialize` precedes them.
 */
export const MESSAGE_NUMBER = "Acp-Message-Number";

/** Names the last event that the client has received from a stream that it opens again. */
export const LAST_EVENT_ID = "Last-Event-ID";

/** The last event of a client that has received none. */
export const NO_EVENT = "0";

export const JSON_TYPE = "application/json";
export const EVENT_TYPE = "text/event-stream";

/** The longest accepted message, in bytes, unless an option says something else. */
export const MAX_MESSAGE_BYTES: number = 32 * 1024 * 1024;

/** The longest id of a session in a header, in characters. */
export const MAX_ID = 1024;

/** A message as far as a transport knows it. */
export interface WireMessage {
  readonly id?: RequestId;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Returns whether a response announces that the ids of events number the messages. */
export function announcesOrder({ headers }: Response): boolean {
  return headers.get(EVENT_ORDER) === OF_CONNECTION;
}

/** Returns the session that the params of a message name. */
export function sessionOf({ params }: WireMessage): string | undefined {
  return isRecord(params) && typeof params["sessionId"] === "string"
    ? params["sessionId"]
    : undefined;
}

/** Returns the session that the answer to a call has created. */
export function createdBy(message: WireMessage): string | undefined {
  const { method, result } = message;
  return method === undefined && isRecord(result) && typeof result["sessionId"] === "string"
    ? result["sessionId"]
    : undefined;
}

/** Returns whether a header can name a session. */
export function isHeaderValue(session: string): boolean {
  return session.length <= MAX_ID && /^[!-~](?:[ -~]*[!-~])?$/.test(session);
}

export function isResponse({ id, method }: WireMessage): boolean {
  return method === undefined && id !== undefined;
}

export function isRequest({ id, method }: WireMessage): boolean {
  return method !== undefined && id !== undefined;
}
