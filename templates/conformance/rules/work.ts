import type { RuleDoc } from "../rule-doc.js";
import { agent, client, prompt, s, start, state, update } from "../transcript-builder.js";

const v2 = start(2);
const cancel = client.tell("session/cancel", s());
const close = client.ask(3, "session/close", s());
const message = update("agent_message_chunk", { messageId: "n" });
const told = update("user_message", { messageId: "m" });
const inserted = agent.result(2, { messageId: "m" });
const running = state("running");
const idle = state("idle", "end_turn");

/** Rules of prompts and the work on them in version 2. */
export const WORK: readonly RuleDoc[] = [
  {
    rule: "prompt-message-id",
    title: "In version 2 a prompt is answered with the id of its message",
    rationale: "By the id the client finds its own message among the updates.",
    examples: [
      {
        valid: [...v2, prompt(), told, inserted, running, message, idle],
        invalid: [...v2, prompt(), agent.result(2, { stopReason: "end_turn" })],
        line: 6,
      },
    ],
  },
  {
    rule: "prompt-message-reported",
    title: "In version 2 the message of a prompt is told in an update",
    rationale:
      "Every client of a session builds the conversation from updates, the one that asked as well.",
    examples: [
      {
        valid: [...v2, prompt(), inserted, told, running, idle],
        invalid: [...v2, prompt(), inserted, running, idle],
        line: 6,
      },
    ],
  },
  {
    rule: "inserted-prompt-no-error",
    title: "In version 2 a prompt whose message was told does not fail",
    rationale:
      "From then on the work and its end are told as states; an error says that the message was never taken.",
    examples: [
      {
        valid: [...v2, prompt(), agent.error(2), prompt(3), agent.error(3)],
        invalid: [...v2, prompt(), told, agent.error(2)],
        line: 7,
      },
    ],
  },
  {
    rule: "message-id",
    title: "In version 2 every message has an id",
    rationale: "Chunks are put together, and messages changed, by their ids.",
    examples: [{ valid: [...v2, message], invalid: [...v2, update("agent_message")], line: 5 }],
  },
  {
    rule: "cancelled-idle",
    title: "In version 2 canceled work ends with the stop reason cancelled",
    rationale: "By it the client knows that the agent has stopped because it was told to.",
    examples: [
      {
        valid: [...v2, running, cancel, state("idle", "cancelled")],
        invalid: [...v2, running, cancel, idle],
        line: 7,
      },
      {
        valid: [...v2, running, close, state("idle", "cancelled"), agent.result(3)],
        invalid: [...v2, running, close, idle, agent.result(3)],
        line: 7,
      },
    ],
  },
  {
    rule: "idle-stop-reason",
    title: "In version 2 the end of work tells why it ended",
    rationale: "Success, refusal and cancellation look alike otherwise.",
    examples: [
      {
        valid: [...v2, running, idle, state("idle")],
        invalid: [...v2, running, state("idle")],
        line: 6,
      },
    ],
  },
  {
    rule: "work-ends-idle",
    title: "In version 2 work ends with an update that the session is idle",
    rationale:
      "The response to a prompt does not tell it, so the client would show the agent as busy forever.",
    examples: [
      { valid: [...v2, running, idle], invalid: [...v2, running], line: 5 },
      {
        valid: [...v2, prompt(), told, inserted, idle],
        invalid: [...v2, idle, prompt(), told, inserted],
        line: 6,
      },
    ],
  },
  {
    rule: "idle-before-close-response",
    title: "In version 2 a session is idle before it is closed",
    rationale: "Updates of a closed session reach nobody, and with them how its work ended.",
    examples: [
      {
        valid: [...v2, running, close, state("idle", "cancelled"), agent.result(3)],
        invalid: [...v2, running, close, agent.result(3)],
        line: 7,
      },
    ],
  },
];
