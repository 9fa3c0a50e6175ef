import { ErrorCodes } from "../rpc/errors.js";
import { isRecord } from "../rpc/messages.js";
import type { BridgedAnswer } from "./requests.js";

/** Returns the answer of version 2 to a request about a session that is not open. */
export function sessionNotFound(sessionId: string): BridgedAnswer {
  const { ResourceNotFound: code } = ErrorCodes;
  return { error: { code, message: "The session is not open", data: { sessionId } } };
}

/**
 * Names the session of a request in the error that it does not exist, as version 2 does. The data of
 * the agent is kept.
 */
export function nameSession(
  answer: BridgedAnswer,
  method: string,
  sessionId: string,
): BridgedAnswer {
  const { error } = answer;
  if (!isRecord(error) || error["code"] !== ErrorCodes.ResourceNotFound) return answer;
  if (!method.startsWith("session/")) return answer;
  const { data } = error;
  const isAbsent = data === undefined || data === null;
  const own = isRecord(data) ? data : isAbsent ? {} : { details: data };
  return { error: { ...error, data: { ...own, sessionId } } };
}
