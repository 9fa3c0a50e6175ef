import type { EmitContext } from "../../emitter.js";
import {
  CHECKER_PATH,
  JUDGE_PATH,
  PLACES_PATH,
  SAMPLES_PATH,
  VALIDATOR_SCRIPT_PATH,
} from "../articles/validator.js";
import { flowMessages, flowsOf } from "../facts/flow.js";
import { placesOf } from "./anchor-index.js";
import type { Site } from "../site-types.js";

/** The scripts of the page that checks messages; none where there are no decoders for it. */
export function validatorFiles(
  site: Site,
  { checkers, templates }: EmitContext,
): readonly (readonly [path: string, text: string])[] {
  const checker = checkers?.get(site.protocol.profile);
  if (checker === undefined) return [];
  const script = (name: string): string => {
    const text = templates.get(name);
    if (text === undefined) throw new Error(`the template ${name} is missing`);
    return text;
  };
  return [
    [CHECKER_PATH, checker],
    [JUDGE_PATH, script("docs/assets/transcript.js")],
    [VALIDATOR_SCRIPT_PATH, script("docs/assets/validator.js")],
    [PLACES_PATH, data("acpPlaces", placesOf(site))],
    [SAMPLES_PATH, data("acpSamples", samples(site))],
  ];
}

/** Data for scripts: a page that is opened as a file may load scripts, but read no JSON. */
function data(name: string, value: unknown): string {
  return `globalThis.${name}=${JSON.stringify(value).replaceAll("<", "\\u003c")};\n`;
}

interface Sample {
  readonly title: string;
  /** One message a line. */
  readonly text: string;
}

/** What the page offers to begin with: the flows as transcripts, the examples of the methods. */
function samples(site: Site): readonly Sample[] {
  const flows = flowsOf(site).map((flow) => ({
    title: `Transcript: ${flow.title}`,
    text: flowMessages(flow, site)
      .map(({ from, message }) => JSON.stringify({ from, message }))
      .join("\n"),
  }));
  const methods = site.protocol.methods.flatMap(({ name, kind, examples }) =>
    examples.map(({ title, params }) => {
      const id = kind === "request" ? { id: 1 } : {};
      const message = { jsonrpc: "2.0", ...id, method: name, params };
      return { title: `${name}: ${title}`, text: JSON.stringify(message, null, 2) };
    }),
  );
  return [...flows, ...methods];
}
