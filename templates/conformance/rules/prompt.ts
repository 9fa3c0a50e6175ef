import type { RuleDoc } from "../rule-doc.js";
import { agent, client, ended, prompt, s, start, state, update } from "../transcript-builder.js";

const v1 = start(1);
const cancel = client.tell("session/cancel", s());
const close = client.ask(3, "session/close", s());
const message = update("agent_message_chunk");
const image = (promptCapabilities: object) => [
  ...start(1, { agentHas: { promptCapabilities } }),
  prompt(2, [{ type: "image", data: "", mimeType: "image/png" }]),
  ended(),
];
const imageV2 = (session: object) => [
  ...start(2, { agentHas: { session } }),
  prompt(2, [{ type: "image", data: "", mimeType: "image/png" }]),
  ...[update("user_message", { messageId: "m" }), agent.result(2, { messageId: "m" })],
  ...[state("running"), state("idle", "end_turn")],
];

/** Rules of prompts in version 1, and of their contents in both. */
export const PROMPT: readonly RuleDoc[] = [
  {
    rule: "prompt-capability",
    title: "A prompt has only content that the agent can take",
    rationale: "Text and links are always possible; for all else the agent says so beforehand.",
    examples: [
      { valid: image({ image: true }), invalid: image({}), line: 5 },
      { valid: imageV2({ prompt: { image: {} } }), invalid: imageV2({}), line: 5 },
    ],
  },
  {
    rule: "stop-reason",
    title: "A turn of version 1 ends with a stop reason",
    rationale:
      "The response is the only thing that tells the client that the turn is over, and why.",
    examples: [
      {
        valid: [...v1, prompt(), message, ended()],
        invalid: [...v1, prompt(), agent.result(2)],
        line: 6,
      },
    ],
  },
  {
    rule: "updates-before-turn-ends",
    title: "The updates of a turn come before its end",
    rationale: "A client that has closed the turn shows what comes later in the wrong place.",
    examples: [
      {
        valid: [...v1, prompt(), message, ended()],
        invalid: [...v1, prompt(), ended(), message],
        line: 7,
      },
    ],
  },
  {
    rule: "cancelled-prompt-no-error",
    title: "A canceled prompt ends with a result, not with an error",
    rationale: "The user wanted the turn to end; an error message would say that it failed.",
    examples: [
      {
        valid: [...v1, prompt(), cancel, message, ended("cancelled")],
        invalid: [...v1, prompt(), cancel, agent.error(2, -32800)],
        line: 7,
      },
    ],
  },
  {
    rule: "cancelled-stop-reason",
    title: "A canceled prompt ends with the stop reason cancelled",
    rationale: "By it the client knows that the agent has stopped because it was told to.",
    examples: [
      {
        valid: [...v1, prompt(), cancel, ended("cancelled")],
        invalid: [...v1, prompt(), cancel, ended()],
        line: 7,
      },
    ],
  },
  {
    rule: "closed-prompt-cancelled",
    title: "Closing a session cancels its prompt",
    rationale:
      "Closing works like canceling first; a prompt that goes on would spend tokens and change files for nobody.",
    examples: [
      {
        valid: [...v1, prompt(), close, ended("cancelled"), agent.result(3)],
        invalid: [...v1, prompt(), close, ended(), agent.result(3)],
        line: 7,
      },
    ],
  },
];
