import type { RuleDoc } from "../rule-doc.js";
import { agent, client, prompt, s, start, state, update } from "../transcript-builder.js";

const v2 = start(2);
const cancel = client.notify("session/cancel", s());
const close = client.ask(3, "session/close", s());
const message = update("agent_message_chunk", { messageId: "n" });
const announced = update("user_message", { messageId: "m" });
const inserted = agent.result(2, { messageId: "m" });
const keyed = (id: number) => [
  ...(id === 2 ? v2 : []),
  client.ask(
    id,
    "session/prompt",
    s({ prompt: [{ type: "text", text: "Hi" }], idempotencyKey: "k" }),
  ),
];
const again = (messageId: string) => agent.result(3, { messageId });
const running = state("running");
const idle = state("idle", "end_turn");

/** Rules of prompts and the work on them in version 2. */
export const WORK: readonly RuleDoc[] = [
  {
    rule: "prompt-message-id",
    title: "In version 2 the response to a prompt contains the id of its message",
    rationale: "The client finds its own message among the updates by the id.",
    examples: [
      {
        valid: [...v2, prompt(), announced, inserted, running, message, idle],
        invalid: [...v2, prompt(), agent.result(2, { stopReason: "end_turn" })],
        line: 6,
      },
    ],
  },
  {
    rule: "prompt-message-reported",
    title: "In version 2 the agent reports the message of a prompt in an update",
    rationale:
      "Every client of a session builds the conversation from updates, including the one that sent the prompt.",
    examples: [
      {
        valid: [...v2, prompt(), inserted, announced, running, idle],
        invalid: [...v2, prompt(), inserted, running, idle],
        line: 6,
      },
    ],
  },
  {
    rule: "retried-prompt",
    title: "In version 2 a prompt that is sent again with its key keeps its message",
    rationale: "A second message would repeat work that the user wanted once.",
    examples: [
      {
        valid: [...keyed(2), announced, inserted, running, idle, ...keyed(3), again("m")],
        invalid: [...keyed(2), announced, inserted, running, idle, ...keyed(3), again("other")],
        line: 11,
      },
    ],
  },
  {
    rule: "inserted-prompt-no-error",
    title: "In version 2 a prompt whose message was reported does not fail",
    rationale:
      "After that, state updates report the work and its end; an error means that the message was not accepted.",
    examples: [
      {
        valid: [...v2, prompt(), agent.error(2), prompt(3), agent.error(3)],
        invalid: [...v2, prompt(), announced, agent.error(2)],
        line: 7,
      },
    ],
  },
  {
    rule: "message-id",
    title: "In version 2 every message has an id",
    rationale: "Clients join chunks and apply changes to messages by id.",
    examples: [{ valid: [...v2, message], invalid: [...v2, update("agent_message")], line: 5 }],
  },
  {
    rule: "cancelled-idle",
    title: "In version 2 cancelled work ends with the stop reason cancelled",
    rationale: "The stop reason confirms that the agent stopped because of the cancellation.",
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
    title: "In version 2 the idle state after work contains a stop reason",
    rationale: "Without it, success, refusal and cancellation look alike.",
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
    title: "In version 2 work ends with an idle state update",
    rationale:
      "The response to a prompt does not report the end, so the client would display the agent as busy forever.",
    examples: [
      { valid: [...v2, running, idle], invalid: [...v2, running], line: 5 },
      {
        valid: [...v2, prompt(), announced, inserted, idle],
        invalid: [...v2, idle, prompt(), announced, inserted],
        line: 6,
      },
    ],
  },
  {
    rule: "idle-before-close-response",
    title: "In version 2 a session is idle before it is closed",
    rationale:
      "The client discards updates of a closed session, including the one that reports how the work ended.",
    examples: [
      {
        valid: [...v2, running, close, state("idle", "cancelled"), agent.result(3)],
        invalid: [...v2, running, close, agent.result(3)],
        line: 7,
      },
    ],
  },
];
