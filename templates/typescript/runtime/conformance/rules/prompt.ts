import { BOTH, onKinds, onResult, onSent, onUpdate, V1, type Rule } from "./rule.js";
import { CONTENT_UPDATES } from "../sessions.js";
import { at, isOn, list, textOf } from "../select.js";

/** The capability that a block of a prompt needs. */
const BLOCKS: { readonly [type: string]: string } = {
  image: "image",
  audio: "audio",
  resource: "embeddedContext",
};
const TURN = CONTENT_UPDATES.filter((kind) => kind !== "user_message_chunk");

/** Rules of prompts and their cancellation. */
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
      if (session === undefined || session.promptsAnswered === 0) return;
      if (session.pending.size === 0 && !session.hasForgottenCalls)
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
    id: "prompt-during-prompt",
    source: "prompt turn, which says nothing about it: agents queue, refuse or mix such prompts",
    level: "note",
    versions: V1,
    check: onSent(["session/prompt"], function* ({ session }) {
      if (session?.prompts.some(({ isCancelled }) => !isCancelled))
        yield { message: "another prompt of the session is in progress", path: "/method" };
    }),
  },
  {
    id: "prompt-echo",
    source: "session setup, loading sessions, where the agent reports messages of the user",
    level: "note",
    versions: V1,
    check: onUpdate(["user_message_chunk"], function* ({ session, params }) {
      if (session === undefined || session.calling("session/load") !== undefined) return;
      if (session.findEchoed(at(params, "update")) !== undefined)
        yield {
          message: "the agent sends the prompt back, which some clients display twice",
          path: "/params/update",
        };
    }),
  },
];
