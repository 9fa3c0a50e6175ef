import { ErrorCodes } from "../../rpc/errors.js";
import { BOTH, onKinds, V2, type RuleFinding, type Rule } from "./rule.js";
import { NEEDING } from "./session.js";
import { at, list, show } from "../select.js";
import type { TranscriptStep } from "../step.js";

/** The error codes that a request may be answered with before its session is looked up. */
const BEFORE_SESSIONS: readonly unknown[] = [
  ErrorCodes.ResourceNotFound,
  ErrorCodes.MethodNotFound,
  ErrorCodes.AuthenticationRequired,
  ErrorCodes.RequestCancelled,
];

function codeOf({ message }: TranscriptStep): unknown {
  return at(message, "error", "code");
}

function* unsupportedVersion(step: TranscriptStep): Generator<RuleFinding> {
  if (step.method !== "initialize" || codeOf(step) !== ErrorCodes.UnsupportedProtocolVersion)
    return;
  const asked = at(step.params, "protocolVersion");
  const data = at(step.message, "error", "data");
  const supported = list(at(data, "supported"));
  if (data === undefined || at(data, "requested") !== asked)
    yield {
      message: `the error does not contain the requested version ${show(asked)}`,
      path: "/error",
    };
  else if (!Array.isArray(at(data, "supported")))
    yield { message: "the error does not list the supported versions", path: "/error/data" };
  const fitting = supported.find((version) => Number(version) <= Number(asked));
  if (fitting !== undefined)
    yield {
      message: `the agent could have answered with version ${show(fitting)}`,
      path: "/error/data/supported",
    };
}

/** Rules of what requests are refused with. */
export const ERROR_RULES: readonly Rule[] = [
  {
    id: "unsupported-version-data",
    source: "UnsupportedProtocolVersionErrorData in the schema of version 2",
    level: "error",
    versions: V2,
    check: onKinds(["error"], unsupportedVersion),
  },
  {
    id: "session-not-found-data",
    source: "SessionNotFoundErrorData in the schema of version 2",
    level: "error",
    versions: V2,
    check: onKinds(["error"], function* (step) {
      const { call, sessionId, message } = step;
      if (codeOf(step) !== ErrorCodes.ResourceNotFound || call?.from !== "client") return;
      if (sessionId === undefined || !call.method.startsWith("session/")) return;
      if (at(message, "error", "data", "sessionId") !== sessionId)
        yield { message: `the error does not name the session ${show(sessionId)}`, path: "/error" };
    }),
  },
  {
    id: "unknown-session-refused",
    source: "session setup; error -32002 in the schema",
    // The agent may know the session from another connection.
    level: "warning",
    versions: BOTH,
    check: onKinds(["result", "error"], function* (step) {
      const { call, kind, sessionId } = step;
      if (call?.from !== "client" || !call.isLost || !NEEDING.includes(call.method)) return;
      if (kind !== "error" || !BEFORE_SESSIONS.includes(codeOf(step)))
        yield {
          message: `the session ${show(sessionId)} does not exist, but the response has another error`,
          path: `/${kind}`,
        };
    }),
  },
  {
    id: "withdrawn-request-error",
    source: "request cancellation, the part on responses",
    // The request may have failed before the receiver saw the cancellation.
    level: "warning",
    versions: BOTH,
    check: onKinds(["error"], function* (step) {
      if (step.kind !== "error" || step.call?.isWithdrawn !== true) return;
      if (codeOf(step) !== ErrorCodes.RequestCancelled)
        yield {
          message: `a cancelled request ends with the error ${show(codeOf(step))}`,
          path: "/error/code",
        };
    }),
  },
];
