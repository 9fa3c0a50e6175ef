import type { RuleDoc } from "../rule-doc.js";
import { agent, client, inBoth, s, start } from "../transcript-builder.js";

const url = (version: number) => start(version, { clientHas: { elicitation: { url: {} } } });
const MODES: { readonly [mode: string]: object } = {
  url: { elicitationId: "e", url: "https://example.com" },
  form: { requestedSchema: { type: "object", properties: {} } },
};
const elicit = (mode: string) => [
  agent.ask(9, "elicitation/create", s({ mode, message: "Who are you?", ...MODES[mode] })),
  client.result(9, { action: "cancel" }),
];
const complete = agent.notify("elicitation/complete", { elicitationId: "e" });

/** Rules of questions to the user. */
export const ELICITATION: readonly RuleDoc[] = [
  {
    rule: "elicitation-capability",
    title: "The agent uses only elicitation modes that the client advertised",
    rationale: "A client may support forms, web pages, both or neither.",
    examples: inBoth((version) => ({
      valid: [...url(version), ...elicit("url")],
      invalid: [...url(version), ...elicit("form")],
      line: 5,
    })),
  },
  {
    rule: "known-elicitation",
    title: "The agent completes each elicitation once, and only elicitations that it created",
    rationale: "The client waits for the id of its open elicitation and ignores other ids.",
    examples: inBoth((version) => ({
      valid: [...url(version), ...elicit("url"), complete],
      invalid: [...url(version), ...elicit("url"), complete, complete],
      line: 8,
    })),
  },
];
