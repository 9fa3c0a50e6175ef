import { isRecord, type RequestMessage } from "../rpc/messages.js";
import type { CancelledBy } from "../rpc/inbound-requests.js";

/** The notification that stops the work of a session. */
export const SESSION_CANCEL = "session/cancel";

/**
 * What a cancelled request is answered with when its handler ends with a failure, or
 * not at all; absent: the error "request cancelled".
 *
 * In version 1, a turn that `session/cancel` ends has the stop reason `cancelled`,
 * never an error (rule `cancelled-stop-reason`). A permission that is no longer asked for has
 * the outcome `cancelled` (rule `cancelled-permission`).
 */
export function cancelledResult(
  method: string,
  by: CancelledBy,
  protocolVersion: number,
): object | undefined {
  if (method === "session/request_permission") return { outcome: { outcome: "cancelled" } };
  const isTurn = method === "session/prompt" && protocolVersion === 1 && by === "turn";
  return isTurn ? { stopReason: "cancelled" } : undefined;
}

/**
 * Which requests end when `session/cancel` is sent or received: the turn of the session
 * (in version 2, a prompt is answered before its turn) and its questions to the user.
 *
 * @param params of `session/cancel`
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
