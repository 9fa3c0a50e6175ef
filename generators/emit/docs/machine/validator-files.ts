import type { EmitContext } from "../../emitter.js";
import { CHECKER_PATH, SAMPLES_PATH, VALIDATOR_SCRIPT_PATH } from "../articles/validator.js";
import { flowMessages, flowsOf } from "../flow.js";
import type { Site } from "../site.js";

const SCRIPT_TEMPLATE = "docs/validator.js";

/** The scripts of the page that checks messages; none where there are no decoders for it. */
export function validatorFiles(
  site: Site,
  { checkers, templates }: EmitContext,
): readonly (readonly [path: string, text: string])[] {
  const checker = checkers?.get(site.protocol.profile);
  if (checker === undefined) return [];
  const script = templates.get(SCRIPT_TEMPLATE);
  if (script === undefined) throw new Error(`the template ${SCRIPT_TEMPLATE} is missing`);
  return [
    [CHECKER_PATH, checker],
    [VALIDATOR_SCRIPT_PATH, script],
    [
      SAMPLES_PATH,
      `globalThis.acpSamples=${JSON.stringify(samples(site)).replaceAll("<", "\\u003c")};\n`,
    ],
  ];
}

interface Sample {
  readonly title: string;
  /** One message a line. */
  readonly text: string;
}

/** What the page offers to begin with: the flows as transcripts, the first example of each method. */
function samples(site: Site): readonly Sample[] {
  const flows = flowsOf(site).map((flow) => ({
    title: `Transcript: ${flow.title}`,
    text: flowMessages(flow, site)
      .map(({ from, message }) => JSON.stringify({ from, message }))
      .join("\n"),
  }));
  const methods = site.protocol.methods.flatMap(({ name, kind, examples: [example] }) => {
    if (example === undefined) return [];
    const id = kind === "request" ? { id: 1 } : {};
    const message = { jsonrpc: "2.0", ...id, method: name, params: example.params };
    return [{ title: `${name} (${kind})`, text: JSON.stringify(message, null, 2) }];
  });
  return [...flows, ...methods];
}
