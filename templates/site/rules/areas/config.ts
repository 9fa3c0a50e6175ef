import type { RuleDoc } from "../rule-doc.js";
import { agent, client, s, start } from "../transcript-builder.js";

const options = (currentValue: string, configId = "model") => ({
  configOptions: [
    {
      configId,
      name: "Model",
      type: "select",
      currentValue,
      options: [
        { value: "fast", name: "Fast" },
        { value: "good", name: "Good" },
      ],
    },
  ],
});
const optionsV1 = (currentValue: string, id = "model", values = ["fast", "good"]) => ({
  configOptions: options(currentValue).configOptions.map(({ configId: _, ...rest }) => ({
    id,
    ...rest,
    options: values.map((value) => ({ value, name: value })),
  })),
});
const twoV1 = (...ids: string[]) => ({
  configOptions: ids.flatMap((id) => optionsV1("fast", id).configOptions),
});
const modes = (currentModeId: string, ...ids: string[]) => ({
  modes: { currentModeId, availableModes: ids.map((id) => ({ id, name: id })) },
});
const ask = (...ids: string[]) =>
  agent.ask(
    9,
    "session/request_permission",
    s({
      toolCall: { toolCallId: "x" },
      options: ids.map((optionId) => ({ optionId, name: optionId, kind: "allow_once" })),
    }),
  );
const CANCELLED = { outcome: { outcome: "cancelled" } };
const fastOption = {
  configOptions: [{ id: "fast", name: "Fast", type: "boolean", currentValue: true }],
};
const fast = start(1, { clientHas: { session: { configOptions: { boolean: {} } } } }, fastOption);
const setFast = (fields: object) =>
  client.ask(2, "session/set_config_option", s({ configId: "fast", ...fields }));
const setV1 = (value: string) =>
  client.ask(2, "session/set_config_option", s({ configId: "model", value }));
const v1 = start(1, {}, optionsV1("fast"));
const goodV1 = agent.result(2, optionsV1("good"));
const set = (value: string) =>
  client.ask(2, "session/set_config_option", s({ configId: "model", type: "id", value }));
const v2 = start(2, {}, options("fast"));
const good = agent.result(2, options("good"));

/** Rules of the options of sessions. */
export const CONFIG: readonly RuleDoc[] = [
  {
    rule: "consistent-config-options",
    title: "In version 2 the values of a select option are unique and include the current value",
    rationale:
      "A client cannot display a current value that is missing from the list, or distinguish equal values.",
    examples: [
      { valid: start(2, {}, options("fast")), invalid: start(2, {}, options("slow")), line: 4 },
    ],
  },
  {
    rule: "unique-offers",
    title: "In version 1 the ids of modes, options and values that are offered together differ",
    rationale:
      "A choice between equal ids is ambiguous: the receiver takes the first one, which may not be the one that the user saw.",
    examples: [
      {
        valid: start(1, {}, twoV1("model", "effort")),
        invalid: start(1, {}, twoV1("model", "model")),
        line: 4,
      },
      {
        valid: start(1, {}, optionsV1("fast")),
        invalid: start(1, {}, optionsV1("fast", "model", ["fast", "fast"])),
        line: 4,
      },
      {
        valid: start(1, {}, modes("ask", "ask", "code")),
        invalid: start(1, {}, modes("ask", "ask", "ask")),
        line: 4,
      },
      {
        valid: [...v1, ask("yes", "no"), client.result(9, CANCELLED)],
        invalid: [...v1, ask("yes", "yes"), client.result(9, CANCELLED)],
        line: 5,
      },
    ],
  },
  {
    rule: "offered-current-value",
    title: "In version 1 the current mode and the current values are among those that are offered",
    rationale:
      "A client cannot display a choice that is not in the list, and the user cannot return to it.",
    examples: [
      {
        valid: start(1, {}, optionsV1("fast")),
        invalid: start(1, {}, optionsV1("slow")),
        line: 4,
      },
      {
        valid: start(1, {}, modes("ask", "ask")),
        invalid: start(1, {}, modes("plan", "ask")),
        line: 4,
      },
    ],
  },
  {
    rule: "known-config-option",
    title: "The client sets only options of the session, and only to values that they offer",
    rationale: "The agent defines the options and their values, and rejects others.",
    examples: [
      {
        valid: [...v1, setV1("good"), goodV1],
        invalid: [...v1, setV1("slow"), agent.error(2, -32602)],
        line: 5,
      },
      {
        valid: [...v2, set("good"), good],
        invalid: [...v2, set("slow"), agent.error(2, -32602)],
        line: 5,
      },
      {
        valid: [...fast, setFast({ type: "boolean", value: true }), agent.result(2, fastOption)],
        invalid: [...fast, setFast({ value: "on" }), agent.error(2, -32602)],
        line: 5,
      },
    ],
  },
  {
    rule: "unfit-config-value-refused",
    title:
      "In version 2 the agent rejects a value that the option does not offer with error -32602",
    rationale: "After a success the client would display a setting that the agent did not apply.",
    examples: [
      {
        valid: [...v2, set("good"), good],
        invalid: [...v2, set("slow"), good],
        line: 6,
        also: ["known-config-option"],
      },
    ],
  },
  {
    rule: "complete-config-options",
    title:
      "The response to session/set_config_option lists every option, including the one that was set",
    rationale: "The list replaces the client's list, so a missing option disappears.",
    examples: [
      {
        valid: [...v1, setV1("good"), goodV1],
        invalid: [...v1, setV1("good"), agent.result(2, optionsV1("good", "effort"))],
        line: 6,
      },
      {
        valid: [...v2, set("good"), good],
        invalid: [...v2, set("good"), agent.result(2, options("good", "effort"))],
        line: 6,
      },
    ],
  },
  {
    rule: "config-option-set",
    title: "The response to session/set_config_option has the value that was set",
    rationale:
      "The client displays the values of the response, so the choice of the user seems to have no effect.",
    examples: [
      {
        valid: [...v1, setV1("good"), goodV1],
        invalid: [...v1, setV1("good"), agent.result(2, optionsV1("fast"))],
        line: 6,
      },
      {
        valid: [...v2, set("good"), good],
        invalid: [...v2, set("good"), agent.result(2, options("fast"))],
        line: 6,
      },
    ],
  },
];
