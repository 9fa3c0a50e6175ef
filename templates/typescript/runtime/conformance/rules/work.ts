import { onEnd, onKinds, onResult, onUpdate, V2, type Rule } from "./rule.js";
import { CONTENT_UPDATES } from "../sessions.js";
import { at, show } from "../select.js";

const MESSAGES = CONTENT_UPDATES.filter((kind) => kind !== "tool_call");

/** Rules of how version 2 reports prompts and the work on them. */
export const WORK_RULES: readonly Rule[] = [
  {
    id: "cancelled-idle",
    source: "StateUpdate, CancelSessionNotification, CloseSessionRequest in version 2",
    // The work may have ended before the agent saw the cancellation.
    level: "warning",
    versions: V2,
    check: onUpdate(["state_update"], function* ({ session, params }) {
      const reason = at(params, "update", "stopReason");
      if (at(params, "update", "state") !== "idle" || session?.isCancelling !== true) return;
      if (reason !== "cancelled")
        yield {
          message: `cancelled work ends with ${show(reason)}`,
          path: "/params/update/stopReason",
        };
    }),
  },
  {
    id: "prompt-message-id",
    source: "description of PromptResponse in version 2",
    level: "error",
    versions: V2,
    check: onResult(["session/prompt"], function* ({ result }) {
      if (typeof at(result, "messageId") !== "string")
        yield { message: "the response does not contain the id of the message", path: "/result" };
    }),
  },
  {
    id: "prompt-message-reported",
    source: "prompt lifecycle of version 2, description of PromptResponse",
    level: "warning",
    versions: V2,
    check: onEnd(function* ({ sessions }) {
      for (const { promptMessages, userMessages } of sessions.values())
        for (const [id, line] of promptMessages)
          if (!userMessages.mayHave(id))
            yield { message: `no update reports the user's message ${show(id)}`, line };
    }),
  },
  {
    id: "retried-prompt",
    source: "description of PromptRequest.idempotencyKey in version 2",
    level: "error",
    versions: V2,
    check: onResult(["session/prompt"], function* ({ session, call, result }) {
      const known = session?.keyedMessages.get(at(call.params, "idempotencyKey"));
      if (known !== undefined && known !== at(result, "messageId"))
        yield {
          message: `the prompt was sent again, but its message was ${show(known)}`,
          path: "/result/messageId",
        };
    }),
  },
  {
    id: "message-id",
    source: "description of MessageId in the schema of version 2",
    level: "error",
    versions: V2,
    check: onUpdate(MESSAGES, function* ({ params }) {
      if (typeof at(params, "update", "messageId") !== "string")
        yield { message: "the message has no id", path: "/params/update" };
    }),
  },
  {
    id: "inserted-prompt-no-error",
    source: "prompt lifecycle of version 2, description of PromptResponse",
    // The message may come from another client.
    level: "warning",
    versions: V2,
    check: onKinds(["error"], function* ({ kind, call }) {
      if (kind === "error" && call?.method === "session/prompt" && call.isInserted)
        yield { message: "the prompt fails after its message was reported", path: "/error" };
    }),
  },
  {
    id: "idle-stop-reason",
    source: "description of IdleStateUpdate in the schema of version 2",
    level: "warning",
    versions: V2,
    check: onUpdate(["state_update"], function* ({ session, params }) {
      const reason = at(params, "update", "stopReason") ?? null;
      if (
        at(params, "update", "state") === "idle" &&
        session?.isRunning === true &&
        reason === null
      )
        yield { message: "the work ends without a stop reason", path: "/params/update" };
    }),
  },
  {
    id: "work-ends-idle",
    source: "descriptions of PromptResponse and StateUpdate in version 2",
    // A recording may stop before the work does.
    level: "warning",
    versions: V2,
    check: onEnd(function* ({ sessions }) {
      for (const { id, workSince } of sessions.values())
        if (workSince !== undefined)
          yield { message: `no update reports that ${show(id)} is idle again`, line: workSince };
    }),
  },
  {
    id: "idle-before-close-response",
    source: "description of CloseSessionRequest in version 2; closing sessions",
    level: "error",
    versions: V2,
    check: onResult(["session/close"], function* ({ session }) {
      if (session?.isRunning === true)
        yield { message: "the session is closed while its work continues", path: "/result" };
    }),
  },
];
