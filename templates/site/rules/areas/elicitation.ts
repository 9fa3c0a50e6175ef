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
const form = (version: number) => start(version, { clientHas: { elicitation: { form: {} } } });
const SIZES = { type: "string", enum: ["small", "large"] };
const COPIES = { type: "integer", minimum: 1 };
const fill = (content: object) => [
  agent.ask(
    9,
    "elicitation/create",
    s({
      mode: "form",
      message: "Which size?",
      requestedSchema: {
        type: "object",
        properties: { size: SIZES, copies: COPIES },
        required: ["size"],
      },
    }),
  ),
  client.result(9, { action: "accept", content }),
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
    rule: "elicitation-content",
    title: "The content that the client sends fits the form of the agent",
    rationale: "An agent that relies on its form fails later, where nobody sees why.",
    examples: inBoth((version) => ({
      valid: [...form(version), ...fill({ size: "small", copies: 2 })],
      invalid: [...form(version), ...fill({ size: "huge", copies: 2 })],
      line: 6,
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
