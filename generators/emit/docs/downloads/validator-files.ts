import { templateText } from "../../emitter.js";
import type { ValidatorScripts } from "../../inputs.js";
import {
  VALIDATOR_CORE_PATH,
  TRANSCRIPT_PATH,
  ANCHORS_PATH,
  HINTS_PATH,
  SAMPLES_PATH,
  TIMELINE_PATH,
  VALIDATOR_SCRIPT_PATH,
} from "../articles/validator-article.js";
import { flowMessages, flowsOf } from "../facts/flow-messages.js";
import { inScript } from "../../../output/text.js";
import { anchorIndex } from "./anchor-index.js";
import { nameIndex } from "./name-index.js";
import type { Json } from "../../../schema/json-schema/json.js";
import type { Site } from "../site-types.js";

/**
 * Returns the scripts of the validator page.
 *
 * @param scripts those with the profile's checks; a profile without them has no such page
 */
export function validatorFiles(
  site: Site,
  scripts: ValidatorScripts | undefined,
  templates: ReadonlyMap<string, string>,
): readonly (readonly [path: string, text: string])[] {
  if (scripts === undefined) return [];
  return [
    [VALIDATOR_CORE_PATH, scripts.core],
    [TIMELINE_PATH, scripts.timeline],
    [TRANSCRIPT_PATH, templateText("docs/assets/transcript.js", templates)],
    [VALIDATOR_SCRIPT_PATH, templateText("docs/assets/validator.js", templates)],
    [ANCHORS_PATH, data("acpAnchors", anchorIndex(site)) + data("acpNames", nameIndex(site))],
    [HINTS_PATH, templateText("docs/assets/hints.js", templates)],
    [SAMPLES_PATH, data("acpSamples", samples(site))],
  ];
}

/** Data for scripts: a page that is opened as a file may load scripts, but read no JSON. */
function data(name: string, value: unknown): string {
  return `globalThis.${name}=${inScript(value)};\n`;
}

interface Sample {
  readonly title: string;
  readonly value: Json;
}

/** The samples that the page offers: flows as transcripts, and examples of methods. */
function samples(site: Site): readonly Sample[] {
  const flows = flowsOf(site).map((flow) => ({
    title: `Transcript: ${flow.title}`,
    value: flowMessages(flow, site).map(({ from, message }) => ({ from, message })),
  }));
  const methods = site.protocol.methods.flatMap(({ name, kind, examples }) =>
    examples.map(({ title, params }) => {
      const id = kind === "request" ? { id: 1 } : {};
      return { title: `${name}: ${title}`, value: { jsonrpc: "2.0", ...id, method: name, params } };
    }),
  );
  return [...flows, ...methods];
}
