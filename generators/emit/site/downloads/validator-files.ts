import { templateText } from "../../emitter.js";
import type { ValidatorScripts } from "../../inputs.js";
import { flowMessages, flowsOf } from "../model/flow-messages.js";
import { inScript } from "../../../output/text.js";
import { anchorIndex } from "./anchor-index.js";
import { nameIndex } from "./name-index.js";
import type { Json } from "../../../schema/json-schema/json.js";
import type { Site } from "../model/site.js";

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
  const written = ["hints", "transcript", "validator"].map((name): [string, string] => {
    const path = `assets/${name}.js`;
    return [path, templateText(`site/${path}`, templates)];
  });
  return [
    ["assets/validator-core.js", scripts.core],
    // Loaded by the page when there is a conversation to show.
    ["assets/timeline.js", scripts.timeline],
    [
      "assets/anchors.js",
      data("acpAnchors", anchorIndex(site)) + data("acpNames", nameIndex(site)),
    ],
    ["assets/samples.js", data("acpSamples", samples(site))],
    ...written,
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
