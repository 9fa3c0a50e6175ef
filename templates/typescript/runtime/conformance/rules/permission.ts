import { BOTH, onKinds, onResult, onSent, onUpdate, V1, V2, type Rule } from "./rule.js";
import { at, list, repeated, show } from "../select.js";

const PERMISSION = "session/request_permission";
const ELICITATION = "elicitation/create";

/** Returns whether the user consents in the result of a permission request or an elicitation. */
function isConsent(result: unknown): boolean {
  return at(result, "outcome", "outcome") === "selected" || at(result, "action") === "accept";
}

/** Rules of what the agent asks the user. */
export const PERMISSION_RULES: readonly Rule[] = [
  {
    id: "cancelled-permission",
    source: "prompt turn, cancellation",
    level: "error",
    versions: V1,
    check: onKinds(["result", "error"], function* ({ kind, call, result }) {
      if (call?.method !== PERMISSION || !call.isCancelled) return;
      if (kind === "error" || at(result, "outcome", "outcome") !== "cancelled")
        yield {
          message: "the prompt is cancelled, but its permission request is not",
          path: `/${kind}`,
        };
    }),
  },
  {
    id: "withdrawn-permission",
    source: "description of RequestPermissionOutcome in the schema of version 2",
    // The user may have chosen before the client saw the cancellation.
    level: "warning",
    versions: V2,
    check: onResult([PERMISSION], function* ({ call, result }) {
      const outcome = at(result, "outcome", "outcome");
      if (call.isWithdrawn && outcome !== "cancelled")
        yield {
          message: `a cancelled permission request ends as ${show(outcome)}`,
          path: "/result/outcome",
        };
    }),
  },
  {
    id: "question-withdrawn",
    source: "descriptions of CancelSessionNotification and CloseSessionRequest in version 2",
    level: "error",
    versions: V2,
    check: onUpdate(["state_update"], function* ({ session, sessionId, params }, { pending }) {
      if (at(params, "update", "state") !== "idle") return;
      if (at(params, "update", "stopReason") !== "cancelled") return;
      // A question may belong to background work, which continues.
      if (session?.hasBackground || list(at(params, "update", "background")).length > 0) return;
      for (const {
        method,
        params: asked,
        isCancelled,
        isWithdrawn,
        line,
      } of pending.agent.values())
        if (
          [PERMISSION, ELICITATION].includes(method) &&
          at(asked, "sessionId") === sessionId &&
          isCancelled &&
          !isWithdrawn
        )
          yield { message: "the work of this question is cancelled, but not the question", line };
    }),
  },
  {
    id: "cancelled-question",
    source:
      "prompt turn, cancellation; CancelSessionNotification and RequestPermissionOutcome in version 2",
    // Neither version requires it of the client. In version 2 the work of a request is not known.
    level: "warning",
    versions: BOTH,
    check: onResult([PERMISSION, ELICITATION], function* (step, { version }) {
      const { call, session, result } = step;
      // Rules of their own are about permissions that MUST end as cancelled.
      if (call.method === PERMISSION && (version === 1 || call.isWithdrawn)) return;
      if (call.isCancelled && isConsent(result) && session?.hasBackground !== true)
        yield { message: "the user consents to work that is cancelled", path: "/result" };
    }),
  },
  {
    id: "offered-permission-option",
    source: "tool calls, requesting permission; RequestPermissionOutcome",
    level: "error",
    versions: BOTH,
    check: onResult([PERMISSION], function* ({ params, result }) {
      if (at(result, "outcome", "outcome") !== "selected") return;
      const id = at(result, "outcome", "optionId");
      if (!list(at(params, "options")).some((option) => at(option, "optionId") === id))
        yield { message: `${show(id)} was not offered`, path: "/result/outcome/optionId" };
    }),
  },
  {
    id: "permission-options",
    source: "description of RequestPermissionRequest in version 2",
    level: "error",
    versions: V2,
    isAboutOneMessage: true,
    check: onSent([PERMISSION], function* ({ params }) {
      const path = "/params/options";
      const ids = list(at(params, "options")).map((option) => at(option, "optionId"));
      const twice = repeated(ids);
      if (ids.length === 0) yield { message: "there is no option to choose", path };
      if (twice !== undefined) yield { message: `two options have the id ${show(twice)}`, path };
    }),
  },
  {
    id: "progress-awaits-permission",
    source: "tool calls, status, where pending includes waiting for approval",
    level: "warning",
    versions: BOTH,
    check: onUpdate(["tool_call", "tool_call_update"], function* ({ session, params }) {
      const id = at(params, "update", "toolCallId");
      if (session === undefined || at(params, "update", "status") !== "in_progress") return;
      // A tool call that has started may ask again.
      const status = session.item("toolCall", id)?.["status"] ?? "pending";
      const mayHaveStarted = status !== "pending" || session.hasForgottenItems;
      const permission = mayHaveStarted ? undefined : session.permissions.get(id);
      if (permission !== undefined && !permission.isWithdrawn)
        yield {
          message: `${show(id)} is in progress, but its permission request is not answered`,
          path: "/params/update/status",
        };
    }),
  },
];
