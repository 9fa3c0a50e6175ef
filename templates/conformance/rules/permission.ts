import type { RuleDoc } from "../rule-doc.js";
import { agent, client, ended, prompt, s, start } from "../transcript-builder.js";

const v1 = start(1);
const v2 = start(2);
const cancel = client.notify("session/cancel", s());
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
const withdraw = agent.notify("$/cancel_request", { requestId: 9 });

/** Rules of permissions. */
export const PERMISSION: readonly RuleDoc[] = [
  {
    rule: "offered-permission-option",
    title: "The client chooses an option that was offered",
    rationale: "The agent treats any other option as a refusal, or mistakes it for consent.",
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
    title: "In version 2 a permission request offers at least one option, with unique ids",
    rationale: "Without options the user cannot choose; with equal ids the choice is ambiguous.",
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
    title: "Cancelling a prompt cancels its pending permission requests",
    rationale:
      "The agent waits for these responses before it ends the turn, and any other outcome would let cancelled work continue.",
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
    title:
      "In version 2 a permission request that the agent cancels ends with the outcome cancelled",
    rationale: "The agent no longer asks, so a choice would be consent to nothing.",
    examples: [
      {
        valid: [...permit("yes"), withdraw, cancelled],
        invalid: [...permit("yes"), withdraw, chosen("yes")],
        line: 7,
      },
    ],
  },
];
