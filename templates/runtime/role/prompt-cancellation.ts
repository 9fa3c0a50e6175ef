import { isRecord, type RequestMessage } from "../rpc/messages.js";
import type { CancelledBy, CancelledResult } from "../rpc/inbound-requests.js";

/** The notification that cancels the work of a session. */
export const SESSION_CANCEL = "session/cancel";

/** The notification of an agent about a session. */
export const SESSION_UPDATE = "session/update";

/** The request that starts the work of a session. */
export const SESSION_PROMPT = "session/prompt";

/** The requests that ask the user, and their results for a turn that was cancelled. */
const QUESTIONS: { readonly [method: string]: object } = {
  "session/request_permission": { outcome: { outcome: "cancelled" } },
  "elicitation/create": { action: "cancel" },
};

/**
 * Returns the result for a cancelled request whose handler fails or does not end; undefined for
 * the error "request cancelled".
 *
 * In version 1, a prompt that `session/cancel` ends has the stop reason `cancelled`, never an
 * error (rule `cancelled-stop-reason`). A pending permission request has the outcome `cancelled`
 * (rule `cancelled-permission`) at once, and an elicitation is cancelled with its turn: the agent
 * may wait for it before it ends the turn, and a dialog may stay open.
 */
export function cancelledResult(
  method: string,
  by: CancelledBy,
  protocolVersion: number,
): CancelledResult | undefined {
  const result = questionResult(method, by);
  if (result !== undefined) return { result, waits: false };
  const isTurn = method === SESSION_PROMPT && protocolVersion === 1 && by === "turn";
  return isTurn ? { result: { stopReason: "cancelled" }, waits: true } : undefined;
}

/**
 * Returns the result for a cancelled question to the user. An elicitation is a general request,
 * which `$/cancel_request` ends with an error; undefined for it and for other requests.
 */
function questionResult(method: string, by: CancelledBy): object | undefined {
  if (!Object.hasOwn(QUESTIONS, method)) return undefined;
  return by === "turn" || method === "session/request_permission" ? QUESTIONS[method] : undefined;
}

/**
 * Returns a predicate for the requests that end when `session/cancel` is sent or received: the
 * prompt of the session (only in version 1, since version 2 answers a prompt before its turn) and
 * its questions to the user.
 *
 * @param params the params of `session/cancel`
 */
export function endedByCancel(
  params: unknown,
  protocolVersion: number,
): (request: RequestMessage) => boolean {
  const sessionId = isRecord(params) ? params["sessionId"] : undefined;
  return (request) =>
    typeof sessionId === "string" &&
    isRecord(request.params) &&
    request.params["sessionId"] === sessionId &&
    cancelledResult(request.method, "turn", protocolVersion) !== undefined;
}
