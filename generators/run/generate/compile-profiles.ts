import { compile } from "../../compile.js";
import type { EmitContext, Target } from "../../emit/emitter.js";
import { buildProtocol } from "../../model/build/build.js";
import type { Protocol } from "../../model/protocol.js";
import type { VirtualFile } from "../../output/file.js";
import type { Input } from "../inputs/input.js";
import { loadIdentity } from "../inputs/load-identity.js";
import { loadTemplates } from "../inputs/load-templates.js";
import { resolveInputs } from "../inputs/select-profiles.js";
import { PUBLISHED, toolVersion } from "../installation.js";
import { usageError } from "../messages.js";
import { resolveOptions, type ResolvedOptions } from "../defaults.js";
import type { GenerateOptions } from "../options.js";
import { loadInputs } from "../targets/load-inputs.js";
import { checkChosenNames, refuseClashes } from "./check-names.js";
import { fitTargets, selectTargets } from "../targets/select-targets.js";

/**
 * Compiles in memory what a run into an empty folder would write.
 *
 * @returns the files sorted by path
 * @throws InputError for an error in the schema or the options
 */
export async function compileProfiles(given: GenerateOptions): Promise<VirtualFile[]> {
  const options = resolveOptions(given);
  const selected = await selectTargets(options.targets, undefined);
  const inputs = resolveInputs(options, options.schemaDirectory);
  const protocols = inputs.map(({ bundle, profile }) => buildProtocol(bundle, profile));
  const { targets } = fitTargets(selected, options.targets, protocols);
  return compileTargets(options, targets, protocols, inputs[0]?.sources);
}

/**
 * Loads what targets need besides the protocols, and runs them.
 *
 * @param sources the schema that the protocols are made from; the canonical one when absent
 * @param earlier what earlier runs have left: kept files, printed texts
 * @throws InputError for an error in the schema or the options
 */
export async function compileTargets(
  options: ResolvedOptions,
  targets: readonly Target[],
  protocols: readonly Protocol[],
  sources?: Input["sources"],
  earlier?: Pick<EmitContext, "kept" | "keptText" | "memo">,
): Promise<VirtualFile[]> {
  const { header, layout, importExtension, names = {}, onProgress } = options;
  if (importExtension === "ts" && layout !== "flat")
    throw usageError(
      "--import-extension ts is for the flat layout, since a package is built",
      "Add --layout flat, or leave it out.",
    );
  checkChosenNames(names, protocols);
  if (sources !== undefined) refuseClashes(protocols);
  const templates = loadTemplates(sources);
  const inputs = await loadInputs(targets, { options, protocols, templates });
  const context = {
    templates,
    version: toolVersion(),
    published: PUBLISHED,
    ...loadIdentity(options),
    ...(header !== undefined && { header }),
    ...(onProgress !== undefined && {
      onPage: (profile: string, done: number, total: number) =>
        onProgress({ kind: "running", what: `pages of ${profile}`, done, total }),
    }),
    ...earlier,
  };
  return compile(protocols, targets, inputs, context, layout, importExtension);
}
