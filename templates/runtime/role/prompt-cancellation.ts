import { isRecord, type RequestMessage } from "../rpc/messages.js";
import type { CancelledBy, CancelledResult } from "../rpc/inbound-requests.js";

/** The notification that cancels the work of a session. */
export const SESSION_CANCEL = "session/cancel";

/** The request that starts the work of a session. */
export const SESSION_PROMPT = "session/prompt";

/**
 * Returns the result for a cancelled request whose handler fails or does not end; undefined for
 * the error "request cancelled".
 *
 * In version 1, a prompt that `session/cancel` ends has the stop reason `cancelled`, never an
 * error (rule `cancelled-stop-reason`). A pending permission request has the outcome `cancelled`
 * (rule `cancelled-permission`) at once: the agent may wait for it before it ends the turn, and a
 * dialog may stay open.
 */
export function cancelledResult(
  method: string,
  by: CancelledBy,
  protocolVersion: number,
): CancelledResult | undefined {
  if (method === "session/request_permission")
    return { result: { outcome: { outcome: "cancelled" } }, waits: false };
  const isTurn = method === SESSION_PROMPT && protocolVersion === 1 && by === "turn";
  return isTurn ? { result: { stopReason: "cancelled" }, waits: true } : undefined;
}

/**
 * Returns a predicate for the requests that end when `session/cancel` is sent or received: the
 * prompt of the session (only in version 1, since version 2 answers a prompt before its turn) and
 * its permission requests.
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
