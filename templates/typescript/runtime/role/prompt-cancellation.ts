import { hasTrait } from "../find-method.js";
import type { MethodDescriptor } from "../methods.js";
import type { CancelledBy, CancelledResult } from "../rpc/inbound-requests.js";
import { isRecord, type RequestMessage } from "../rpc/messages.js";
import type { HandlerTable } from "./options/handlers.js";

/**
 * Returns the result for a cancelled request whose handler fails or does not end; undefined for
 * the error "request cancelled".
 *
 * In version 1, a prompt that `session/cancel` ends has the stop reason `cancelled`, never an
 * error (rule `cancelled-stop-reason`). A pending permission request has the outcome `cancelled`
 * (rule `cancelled-permission`) at once, and an elicitation is cancelled with its turn: the agent
 * may wait for it before it ends the turn, and a dialog may stay open. An elicitation is a general
 * request, which `$/cancel_request` ends with an error.
 */
export function cancelledResult(
  method: MethodDescriptor | undefined,
  by: CancelledBy,
): CancelledResult | undefined {
  const result = method?.cancelledResult;
  if (method === undefined || result === undefined) return undefined;
  const isEnded = by === "turn" || hasTrait(method, "requests-permission");
  return isEnded ? { result, waits: hasTrait(method, "starts-turn") } : undefined;
}

/**
 * Returns a predicate for the requests that end when a session is cancelled, by either side: the
 * prompts of the session (in version 2 those that have not started a turn, which fail) and its
 * questions to the user, and those of its subagents.
 *
 * @param isReached returns whether the cancellation reaches a session
 * @param requests the requests that this side handles
 */
export function endedByCancel(
  isReached: (sessionId: string) => boolean,
  requests: HandlerTable["request"],
): (request: RequestMessage) => boolean {
  return ({ method: name, params }) => {
    if (!isRecord(params) || typeof params["sessionId"] !== "string") return false;
    const method = requests.get(name)?.method;
    return (
      isReached(params["sessionId"]) &&
      method !== undefined &&
      (method.cancelledResult !== undefined || hasTrait(method, "starts-turn"))
    );
  };
}
