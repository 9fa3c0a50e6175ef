import type { RuleDoc } from "../rule-doc.js";
import { agent, client, ended, prompt, s, start, state, update } from "../transcript-builder.js";

const v1 = start(1);
const cancel = client.notify("session/cancel", s());
const close = client.ask(3, "session/close", s());
const message = update("agent_message_chunk");
const user = (text: string) => update("user_message_chunk", { content: { type: "text", text } });
const long = { type: "text", text: "Explain this. ".repeat(50) };
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
    title: "A prompt contains only content that the agent supports",
    rationale: "Every agent supports text and resource links; other content needs a capability.",
    examples: [
      { valid: image({ image: true }), invalid: image({}), line: 5 },
      { valid: imageV2({ prompt: { image: {} } }), invalid: imageV2({}), line: 5 },
    ],
  },
  {
    rule: "stop-reason",
    title: "In version 1 a turn ends with a stop reason",
    rationale: "Only the response informs the client that the turn has ended, and why.",
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
    title: "The updates of a turn precede its response",
    rationale: "A client that has ended the turn displays later updates in the wrong place.",
    examples: [
      {
        valid: [...v1, prompt(), message, ended()],
        invalid: [...v1, prompt(), ended(), message],
        line: 7,
      },
      {
        // The updates of the second turn follow the response of the first.
        valid: [...v1, prompt(), ended(), prompt(3), message, ended("end_turn", 3)],
        invalid: [...v1, prompt(), ended(), prompt(3), ended("end_turn", 3), message],
        line: 9,
      },
    ],
  },
  {
    rule: "cancelled-prompt-no-error",
    title: "A cancelled prompt ends with a result, not with an error",
    rationale: "The user wanted to end the turn; an error would be displayed as a failure.",
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
    title: "A cancelled prompt ends with the stop reason cancelled",
    rationale: "The stop reason confirms that the agent stopped because of the cancellation.",
    examples: [
      {
        valid: [...v1, prompt(), cancel, ended("cancelled")],
        invalid: [...v1, prompt(), cancel, ended()],
        line: 7,
      },
    ],
  },
  {
    rule: "prompt-during-prompt",
    title: "In version 1 a prompt follows the end of the session's previous turn",
    rationale:
      "The protocol says nothing about such a prompt: one agent queues it, another refuses it, and a third works on both at once.",
    examples: [
      {
        valid: [...v1, prompt(), ended(), prompt(3), ended("end_turn", 3)],
        invalid: [...v1, prompt(), prompt(3), ended(), ended("end_turn", 3)],
        line: 6,
      },
    ],
  },
  {
    rule: "prompt-echo",
    title: "In version 1 the agent does not send the prompt back during its turn",
    rationale:
      "The client displays the prompt when it sends it. Many clients display it a second time when it comes back.",
    examples: [
      {
        valid: [...v1, prompt(), message, ended()],
        invalid: [...v1, prompt(), update("user_message_chunk"), message, ended()],
        line: 6,
      },
      {
        // A message from another client.
        valid: [...v1, prompt(), user("Stop"), user("Hello, world"), ended()],
        invalid: [...v1, prompt(), user("Hel"), user("lo"), ended()],
        line: 6,
      },
      {
        valid: [...v1, prompt(2, [long]), user(`No. ${long.text}`), ended()],
        invalid: [...v1, prompt(2, [long]), user(long.text), ended()],
        line: 6,
      },
    ],
  },
  {
    rule: "closed-prompt-cancelled",
    title: "Closing a session cancels its prompt",
    rationale:
      "Closing a session cancels its prompt; otherwise it would keep using tokens and editing files unseen.",
    examples: [
      {
        valid: [...v1, prompt(), close, ended("cancelled"), agent.result(3)],
        invalid: [...v1, prompt(), close, ended(), agent.result(3)],
        line: 7,
      },
    ],
  },
];
