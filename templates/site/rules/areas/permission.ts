import type { RuleDoc } from "../rule-doc.js";
import { agent, client, ended, prompt, s, start, state, update } from "../transcript-builder.js";

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
const askV2 = (ids: string[], subject?: object) =>
  agent.ask(
    9,
    "session/request_permission",
    s({ title: "Run it?", options: options(...ids), ...(subject && { subject }) }),
  );
const permit = (...ids: string[]) => [...v2, askV2(ids)];
const begun = update("tool_call", { toolCallId: "x" });
const progress = update("tool_call_update", { toolCallId: "x", status: "in_progress" });
const forms = { clientHas: { elicitation: { form: {} } } };
const elicit = agent.ask(
  9,
  "elicitation/create",
  s({ mode: "form", message: "Who are you?", requestedSchema: { type: "object", properties: {} } }),
);
const accepted = client.result(9, { action: "accept", content: {} });
const askTool = askV2(["yes"], { type: "tool_call", toolCall: { toolCallId: "x" } });
const stopped = state("idle", "cancelled");
const background = update("state_update", {
  state: "running",
  background: [{ type: "terminal", terminalId: "t" }],
});
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
      {
        // A request that the agent sent before it saw the cancellation.
        valid: [...v1, prompt(), cancel, ask, cancelled, ended("cancelled"), prompt(), ended()],
        invalid: [...v1, prompt(), cancel, ask, chosen("yes"), ended("cancelled")],
        line: 8,
      },
      {
        // A later prompt may have led to the request, and a new turn asks again.
        valid: [
          ...[...v1, prompt(), cancel, prompt(3), ask, chosen("yes"), ended("cancelled")],
          ...[ended("end_turn", 3), prompt(4), ask, chosen("yes"), ended("end_turn", 4)],
        ],
        invalid: [
          ...[...v1, prompt(3), ended("end_turn", 3), prompt(), cancel, ask, chosen("yes")],
          ended("cancelled"),
        ],
        line: 10,
      },
    ],
  },
  {
    rule: "question-withdrawn",
    title: "In version 2 the agent withdraws the questions of cancelled work",
    rationale: "The agent no longer waits, and the user would decide about nothing.",
    examples: [
      {
        valid: [...v2, state("running"), askTool, cancel, withdraw, stopped, cancelled],
        invalid: [...v2, state("running"), askTool, cancel, stopped, cancelled],
        line: 6,
      },
      {
        valid: [...v2, state("running"), askTool, cancel, cancelled, stopped],
        invalid: [...v2, state("running"), cancel, askTool, stopped, cancelled],
        line: 7,
      },
    ],
  },
  {
    rule: "cancelled-question",
    title: "The user does not consent to work that is cancelled",
    rationale:
      "The client has reported that the user wants to stop. The agent disregards the consent, or continues because of it.",
    examples: [
      {
        valid: [
          ...[...start(1, forms), prompt(), cancel, elicit],
          ...[client.result(9, { action: "cancel" }), ended("cancelled")],
        ],
        invalid: [...start(1, forms), prompt(), cancel, elicit, accepted, ended("cancelled")],
        line: 8,
      },
      {
        valid: [...v2, state("running"), cancel, askTool, cancelled, stopped],
        invalid: [...v2, state("running"), cancel, askTool, chosen("yes"), stopped],
        line: 8,
      },
      {
        // Background work goes on, and the request may belong to it.
        valid: [...v2, background, cancel, askTool, chosen("yes"), stopped],
        invalid: [...v2, state("running"), askTool, cancel, chosen("yes"), stopped],
        line: 8,
      },
    ],
  },
  {
    rule: "progress-awaits-permission",
    title: "A tool call is not in progress while its permission request is open",
    rationale:
      "A tool call that waits for approval is pending. A user who sees it run cannot tell what there is left to decide.",
    examples: [
      {
        valid: [...v1, prompt(), begun, ask, chosen("yes"), progress, ended()],
        invalid: [...v1, prompt(), begun, ask, progress, chosen("yes"), ended()],
        line: 8,
      },
      {
        valid: [...v2, askTool, chosen("yes"), progress],
        invalid: [...v2, askTool, progress, chosen("yes")],
        line: 6,
      },
      {
        // A tool call that has started may ask again.
        valid: [...v1, prompt(), begun, progress, ask, progress, chosen("yes"), ended()],
        invalid: [...v1, prompt(), ask, progress, progress, chosen("yes"), ended()],
        line: 7,
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
