import { compile } from "../../compile.js";
import { corpus } from "../../emit/corpus/corpus.js";
import type { Unfit } from "../../emit/docs/check/find-unfit.js";
import type { EmitContext, Emitter } from "../../emit/emitter.js";
import { buildProtocol } from "../../model/build/build.js";
import type { Protocol } from "../../model/protocol.js";
import type { VirtualFile } from "../../output/file.js";
import { loadBridge } from "../../schema/bridge/load-bridge.js";
import { loadBehavior } from "../../schema/source/load-behavior.js";
import type { Sources } from "../../schema/source/sources.js";
import { loadTemplates } from "../inputs/load-templates.js";
import { resolveInputs } from "../inputs/select-profiles.js";
import { SCHEMA, toolVersion } from "../installation.js";
import type { GenerateOptions } from "../options.js";
import { selectTargets } from "../targets/select-targets.js";
import { SITE_TARGET } from "./manifest-file.js";

/**
 * Compiles in memory what a run into an empty folder would write.
 *
 * @returns the files sorted by path
 * @throws InputError for an error in the schema or the options
 */
export async function compileProfiles(options: GenerateOptions): Promise<VirtualFile[]> {
  const targets = await selectTargets(options.targets, undefined);
  const inputs = resolveInputs(options, options.schemaDirectory ?? SCHEMA);
  const protocols = inputs.map(({ bundle, profile }) => buildProtocol(bundle, profile));
  const context = await createContext(options, targets, protocols, inputs[0]?.sources);
  return compile(protocols, targets, context, options.layout);
}

/** Returns the context of the emitters, with the inputs of the site and the corpus when these are among the targets. */
export async function createContext(
  { package: facts, header, siteUrl, schema, schemaDirectory = SCHEMA }: GenerateOptions,
  targets: readonly Emitter[],
  protocols: readonly Protocol[],
  sources?: Sources,
): Promise<EmitContext & { readonly unfit?: Unfit }> {
  const templates = loadTemplates(sources);
  const hasSite = targets.some(({ name }) => name === SITE_TARGET);
  const site = hasSite ? await import("../bundles/site-inputs.js") : undefined;
  // The mapping and the scripts belong to the canonical schema, as the texts of the site do.
  const bridge = schema === undefined ? loadBridge(schemaDirectory) : undefined;
  const behavior = schema === undefined ? loadBehavior(schemaDirectory) : undefined;
  const hasCorpus = targets.some(({ name }) => name === corpus.name);
  const codecs = hasCorpus ? await import("../conformance/load-codecs.js") : undefined;
  return {
    templates,
    version: toolVersion(),
    ...(bridge !== undefined && { bridge }),
    ...(behavior !== undefined && { behavior }),
    ...(await site?.loadSiteInputs(
      schema === undefined ? schemaDirectory : undefined,
      protocols,
      templates,
    )),
    ...(codecs !== undefined && {
      codecs: await codecs.loadCodecs(protocols, templates),
    }),
    ...(facts !== undefined && { package: facts }),
    ...(header !== undefined && { header }),
    ...(siteUrl !== undefined && { siteUrl }),
  };
}
