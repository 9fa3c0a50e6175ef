import type { InputName, Target } from "../../emit/emitter.js";
import type { LoadedInputs } from "../../emit/inputs.js";
import { packageFacts } from "../inputs/package-options.js";
import type { Protocol } from "../../model/protocol.js";
import { loadBridge } from "../../schema/bridge/load-bridge.js";
import { loadBehavior } from "../../schema/source/load-behavior.js";
import { TARGETS } from "../../targets.js";
import { isNamedSelection } from "../inputs/select-profiles.js";
import type { ResolvedOptions } from "../defaults.js";

/** What inputs are loaded from. */
interface InputOrigin {
  readonly options: ResolvedOptions;
  readonly protocols: readonly Protocol[];
  readonly templates: ReadonlyMap<string, string>;
}

type Loader<Name extends keyof LoadedInputs> = (
  origin: InputOrigin,
) => LoadedInputs[Name] | Promise<LoadedInputs[Name]>;

/** One loader per input. What few runs need is imported by its loader. */
const LOADERS: { readonly [Name in keyof LoadedInputs]: Loader<Name> } = {
  bridge: ({ options }) => whereCanonical(options, loadBridge),
  behavior: ({ options }) => whereCanonical(options, loadBehavior),
  codecs: async ({ protocols, templates }) => {
    const { loadCodecs } = await import("../bundles/load-codecs.js");
    return loadCodecs(protocols, templates);
  },
  // First, since it may find mistakes of the user.
  site: async ({ options }) => {
    const { loadSite } = await import("../bundles/load-site.js");
    const site = loadSite(options);
    const { findLowContrasts } = await import("../bundles/contrast.js");
    const found = site.colors.size === 0 ? [] : findLowContrasts(site.colors);
    if (found.length > 0) options.onProgress?.({ kind: "contrast", found });
    return site;
  },
  siteTexts: async ({ options, protocols, templates }) => {
    const { loadSiteTexts } = await import("../bundles/site-inputs.js");
    const directory = whereCanonical(options, (folder) => folder);
    const isNamed = isNamedSelection(options);
    return loadSiteTexts(directory, isNamed, protocols, templates, options.onProgress);
  },
  validatorCores: async ({ protocols, templates }) => {
    const { buildValidatorCores } = await import("../bundles/site-inputs.js");
    return buildValidatorCores(protocols, templates);
  },
  searchCore: async ({ templates }) => {
    const { buildSearchCore } = await import("../bundles/site-inputs.js");
    return buildSearchCore(templates);
  },
  siteCode: ({ options }) => {
    const identity = packageFacts(options);
    return TARGETS.flatMap(({ name, siteCode }) =>
      siteCode === undefined || options.documented?.includes(name) === false
        ? []
        : [(protocol: Protocol) => siteCode(protocol, identity)],
    );
  },
};

/** The names of all inputs. */
export const INPUT_NAMES: readonly string[] = ["files", ...Object.keys(LOADERS)];

/**
 * Loads the inputs that targets name, each once.
 *
 * @returns the named inputs; the others are absent
 * @throws InputError for an input that does not follow the dialect
 */
export async function loadInputs<Name extends InputName>(
  targets: readonly Target<Name>[],
  origin: InputOrigin,
): Promise<Pick<LoadedInputs, Name & keyof LoadedInputs>> {
  const named = new Set<string>(targets.flatMap(({ inputs = [] }) => inputs));
  const loaded: { [name: string]: unknown } = {};
  for (const [name, load] of Object.entries(LOADERS))
    if (named.has(name)) loaded[name] = await load(origin);
  return loaded as Pick<LoadedInputs, Name & keyof LoadedInputs>;
}

/** The mapping, the scripts and the texts of the site belong to the canonical schema, not to an imported one. */
function whereCanonical<T>(
  { schema, schemaDirectory }: ResolvedOptions,
  load: (directory: string) => T,
): T | undefined {
  return schema === undefined ? load(schemaDirectory) : undefined;
}
