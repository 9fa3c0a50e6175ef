import type { RuleDoc } from "../rule-doc.js";
import { agent, client, ended, prompt, s, start } from "../transcript-builder.js";

const v1 = start(1);
const v2 = start(2);
const cancel = client.tell("session/cancel", s());
const options = (...ids: string[]) =>
  ids.map((optionId) => ({ optionId, name: optionId, kind: "allow_once" }));
const ask = agent.ask(
  9,
  "session/request_permission",
  s({ toolCall: { toolCallId: "x" }, options: options("yes") }),
);
const permit = (...ids: string[]) => [
  ...v2,
  agent.ask(9, "session/request_permission", s({ title: "Run it?", options: options(...ids) })),
];
const chosen = (optionId: string) =>
  client.result(9, { outcome: { outcome: "selected", optionId } });
const cancelled = client.result(9, { outcome: { outcome: "cancelled" } });
const withdraw = agent.tell("$/cancel_request", { requestId: 9 });

/** Rules of permissions. */
export const PERMISSION: readonly RuleDoc[] = [
  {
    rule: "offered-permission-option",
    title: "The client chooses an option that was offered",
    rationale: "An agent takes anything else as a refusal, or mistakes it for consent.",
    examples: [
      { valid: [...v1, ask, chosen("yes")], invalid: [...v1, ask, chosen("no")], line: 6 },
      {
        valid: [...permit("yes"), chosen("yes")],
        invalid: [...permit("yes"), chosen("no")],
        line: 6,
      },
    ],
  },
  {
    rule: "permission-options",
    title: "In version 2 a permission offers at least one option, and each id once",
    rationale: "Without a choice there is nothing to ask; with equal ids the choice means nothing.",
    examples: [
      {
        valid: [...permit("yes"), chosen("yes")],
        invalid: [...permit("yes", "yes"), chosen("yes")],
        line: 5,
      },
    ],
  },
  {
    rule: "cancelled-permission",
    title: "With the prompt its open permissions are canceled",
    rationale:
      "The agent waits for these answers before it can end the turn, and a choice would let the canceled work go on.",
    examples: [
      {
        valid: [...v1, prompt(), ask, cancel, cancelled, ended("cancelled")],
        invalid: [...v1, prompt(), ask, cancel, chosen("yes"), ended("cancelled")],
        line: 8,
      },
    ],
  },
  {
    rule: "withdrawn-permission",
    title: "In version 2 a permission that the agent takes back ends as cancelled",
    rationale: "The question is void, so a choice would be consent to something nobody asks for.",
    examples: [
      {
        valid: [...permit("yes"), withdraw, cancelled],
        invalid: [...permit("yes"), withdraw, chosen("yes")],
        line: 7,
      },
    ],
  },
];
