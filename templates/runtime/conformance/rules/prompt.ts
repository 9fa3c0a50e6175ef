import { BOTH, onKinds, onResult, onSent, onUpdate, V1, V2, type Rule } from "./rule.js";
import { CONTENT_UPDATES } from "../sessions.js";
import { at, isOn, list, repeated, show, textOf } from "../select.js";

/** The capability that a block of a prompt needs. */
const BLOCKS: { readonly [type: string]: string } = {
  image: "image",
  audio: "audio",
  resource: "embeddedContext",
};
const TURN = CONTENT_UPDATES.filter((kind) => kind !== "user_message_chunk");

/** Rules of prompts, their cancellation, and permissions. */
export const PROMPT_RULES: readonly Rule[] = [
  {
    id: "prompt-capability",
    source: "prompt turn, user message",
    level: "error",
    versions: BOTH,
    check: onSent(["session/prompt"], function* ({ params }, conversation) {
      if (!conversation.initialized) return;
      const place = conversation.version === 2 ? ["session", "prompt"] : ["promptCapabilities"];
      for (const [index, block] of list(at(params, "prompt")).entries()) {
        const type = textOf(at(block, "type"));
        const name = Object.hasOwn(BLOCKS, type) ? BLOCKS[type]! : undefined;
        if (name !== undefined && !isOn(conversation.capability("agent", ...place, name)))
          yield {
            message: `the agent did not advertise ${name}`,
            path: `/params/prompt/${index}`,
          };
      }
    }),
  },
  {
    id: "stop-reason",
    source: "prompt turn, end of turn",
    level: "error",
    versions: V1,
    check: onResult(["session/prompt"], function* ({ result }) {
      if (typeof at(result, "stopReason") !== "string")
        yield { message: "the turn ends without a stop reason", path: "/result" };
    }),
  },
  {
    id: "updates-before-turn-ends",
    source: "prompt turn, end of turn and cancellation",
    level: "warning",
    versions: V1,
    check: onUpdate(TURN, function* ({ session, update }) {
      if (session !== undefined && session.promptsAnswered > 0 && session.pending.size === 0)
        yield {
          message: `${update} is sent while no prompt is in progress`,
          path: "/params/update",
        };
    }),
  },
  {
    id: "cancelled-prompt-no-error",
    source: "prompt turn, cancellation",
    level: "error",
    versions: V1,
    check: onKinds(["error"], function* ({ kind, call }) {
      if (kind === "error" && call?.method === "session/prompt" && call.isCancelled)
        yield { message: "a cancelled prompt ends with an error", path: "/error" };
    }),
  },
  {
    id: "cancelled-stop-reason",
    source: "prompt turn, cancellation; description of StopReason",
    // The turn may have ended before the agent saw the cancellation.
    level: "warning",
    versions: V1,
    check: onResult(["session/prompt"], function* ({ call, result }) {
      const reason = at(result, "stopReason");
      if (call.isCancelled && typeof reason === "string" && reason !== "cancelled")
        yield { message: `a cancelled prompt ends with ${reason}`, path: "/result/stopReason" };
    }),
  },
  {
    id: "cancelled-permission",
    source: "prompt turn, cancellation",
    level: "error",
    versions: V1,
    check: onKinds(["result", "error"], function* ({ kind, call, result }) {
      if (call?.method !== "session/request_permission" || !call.isCancelled) return;
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
    check: onResult(["session/request_permission"], function* ({ call, result }) {
      const outcome = at(result, "outcome", "outcome");
      if (call.isWithdrawn && outcome !== "cancelled")
        yield {
          message: `a cancelled permission request ends as ${show(outcome)}`,
          path: "/result/outcome",
        };
    }),
  },
  {
    id: "closed-prompt-cancelled",
    source: "session setup, closing sessions; description of CloseSessionRequest",
    // The turn may have ended before the agent was asked to close the session.
    level: "warning",
    versions: V1,
    check: onKinds(["result", "error"], function* ({ kind, call, result }) {
      if (call?.method !== "session/prompt" || !call.isClosed || call.isCancelled) return;
      const reason = at(result, "stopReason");
      if (kind === "error" || reason !== "cancelled")
        yield {
          message: "the session is closed, but its prompt is not cancelled",
          path: `/${kind}`,
        };
    }),
  },
  {
    id: "offered-permission-option",
    source: "tool calls, requesting permission; RequestPermissionOutcome",
    level: "error",
    versions: BOTH,
    check: onResult(["session/request_permission"], function* ({ params, result }) {
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
    check: onSent(["session/request_permission"], function* ({ params }) {
      const path = "/params/options";
      const ids = list(at(params, "options")).map((option) => at(option, "optionId"));
      const twice = repeated(ids);
      if (ids.length === 0) yield { message: "there is no option to choose", path };
      if (twice !== undefined) yield { message: `two options have the id ${show(twice)}`, path };
    }),
  },
];
