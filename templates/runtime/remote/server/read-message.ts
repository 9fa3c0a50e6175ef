import { isRecord } from "../../rpc/messages.js";
import { startTimer } from "../../rpc/timer.js";
import { JSON_TYPE, type WireMessage } from "../wire.js";

/** Why the body of a request is not a message. */
export interface Unreadable {
  readonly status: number;
  readonly text: string;
}

/** The time for which a body may take, in milliseconds. */
const BODY_TIME = 60_000;

/** Reads the message in the body of a request. */
export async function readMessage(
  request: Request,
  maxBytes: number,
  maxTime: number = BODY_TIME,
): Promise<{ readonly message: WireMessage } | Unreadable> {
  const type = request.headers.get("Content-Type")?.split(";", 1)[0]!.trim().toLowerCase();
  // A page can send other types without asking first.
  if (type !== JSON_TYPE) return { status: 415, text: `Send ${JSON_TYPE}` };
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) return TOO_LONG;
  const body = await readBody(request, maxBytes, maxTime);
  if (typeof body !== "string") return body;
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return NOT_JSON;
  }
  return isRecord(message) ? { message } : NOT_ONE;
}

const TOO_LONG: Unreadable = { status: 413, text: "The message is too long" };
const NOT_ONE: Unreadable = { status: 400, text: "One message per request" };
const NOT_JSON: Unreadable = { status: 400, text: "The message is not JSON" };
const TOO_SLOW: Unreadable = { status: 408, text: "The message took too long" };

async function readBody(
  { body }: Request,
  maxBytes: number,
  maxTime: number,
): Promise<string | Unreadable> {
  const reader = body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isLate = false;
  const stop = startTimer(maxTime, () => {
    isLate = true;
    reader.cancel().catch(() => {});
  });
  let size = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return TOO_SLOW;
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) return TOO_LONG;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // It is not UTF-8, or the client has gone.
    return NOT_JSON;
  } finally {
    stop();
    reader.cancel().catch(() => {});
  }
}
