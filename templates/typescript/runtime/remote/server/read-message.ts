import { isRecord } from "../../rpc/messages.js";
import { startTimer } from "../../rpc/timer.js";
import { JSON_TYPE, type WireMessage } from "../wire.js";
import { reply } from "./admit.js";
import * as sentences from "../../sentences.js";

/** The time for which a body may take, in milliseconds. */
const BODY_TIME = 60_000;

/** What each body may hold besides the limit of all, so that short messages always come, in bytes. */
const OWN_BYTES = 64 * 1024;

/** What bodies that have not ended may still hold together, in bytes. */
export interface BodyBudget {
  left: number;
}

/** Reads the message in the body of a request, or returns a response that refuses it. */
export async function readMessage(
  request: Request,
  maxBytes: number,
  budget: BodyBudget,
  maxTime: number = BODY_TIME,
): Promise<WireMessage | Response> {
  const type = request.headers.get("Content-Type")?.split(";", 1)[0]!.trim().toLowerCase();
  // A page can send other types without asking first.
  if (type !== JSON_TYPE) return reply(415, `Send ${JSON_TYPE}`);
  if (Number(request.headers.get("Content-Length") ?? 0) > maxBytes) return tooLong();
  const body = await readBody(request, maxBytes, budget, maxTime);
  if (typeof body !== "string") return body;
  let message: unknown;
  try {
    message = JSON.parse(body);
  } catch {
    return notJson();
  }
  return isRecord(message) ? message : reply(400, "One message per request");
}

const tooLong = (): Response => reply(413, sentences.messageTooLong);
const tooMany = (): Response => reply(503, sentences.tooManyMessages, { "Retry-After": "1" });
const notJson = (): Response => reply(400, sentences.notJson);

async function readBody(
  { body }: Request,
  maxBytes: number,
  budget: BodyBudget,
  maxTime: number,
): Promise<string | Response> {
  const reader = body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let isLate = false;
  const stop = startTimer(maxTime, () => {
    isLate = true;
    reader.cancel().catch(() => {});
  });
  let size = 0;
  let held = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) return reply(408, sentences.messageTooSlow);
      if (done) return text + decoder.decode();
      size += value.byteLength;
      if (size > maxBytes) return tooLong();
      const more = Math.max(0, size - OWN_BYTES) - held;
      held += more;
      budget.left -= more;
      if (budget.left < 0) return tooMany();
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // It is not UTF-8, or the client has gone.
    return notJson();
  } finally {
    stop();
    budget.left += held;
    reader.cancel().catch(() => {});
  }
}
