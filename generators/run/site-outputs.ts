import { isOwnPackage } from "../emit/package-facts.js";
import { LANGUAGES } from "../output/languages.js";
import type { ResolvedConfig } from "./config.js";
import { isPath } from "./inputs/input-files.js";
import { packageFacts } from "./inputs/package-options.js";
import { usageError } from "./messages.js";
import type { GenerateOptions } from "./options.js";
import { SITE_TARGET } from "./site-target.js";
import { DEFAULT_TARGETS, selectTargets } from "./targets/select-targets.js";

/**
 * Returns the sites of a configuration: those of the outputs with a `site` or with the target
 * `docs`, or that of its only output.
 *
 * @param url replaces the address of each site
 * @throws InputError for a configuration with several outputs, none of which is a site
 */
export async function siteOutputs(
  { outputs, ...rest }: ResolvedConfig,
  url?: string,
): Promise<ResolvedConfig> {
  const named = outputs.filter(
    ({ site, targets }) => site !== undefined || targets?.includes(SITE_TARGET),
  );
  if (named.length === 0 && outputs.length > 1)
    throw usageError(
      "the configuration has several outputs, none of which is a site",
      'Add "site": {} to one of them, or select the profiles with flags.',
    );
  const sites = named.length === 0 ? outputs : named;
  const withSite = async (output: GenerateOptions): Promise<GenerateOptions> => ({
    ...output,
    ...((rest.file !== undefined || isOwnPackage(packageFacts(output))) && {
      documented: await documentedTargets(output, outputs),
    }),
    targets: [SITE_TARGET],
    ...(url !== undefined && { site: { ...output.site, url } }),
  });
  return { ...rest, outputs: await Promise.all(sites.map(withSite)) };
}

/** Returns the targets of an output besides its site, or those of the other outputs. */
async function documentedTargets(
  output: GenerateOptions,
  all: readonly GenerateOptions[],
): Promise<readonly string[]> {
  const besideSite = ({ targets = [DEFAULT_TARGETS] }: GenerateOptions): readonly string[] =>
    targets.filter((name) => name !== SITE_TARGET && !isPath(name));
  const own = besideSite(output);
  const names = own.length > 0 ? own : all.flatMap(besideSite);
  // A site alone has the languages whose packages it names.
  const languages = LANGUAGES.filter((language) => output[language] !== undefined);
  const chosen = names.length > 0 ? names : [DEFAULT_TARGETS, ...languages];
  return (await selectTargets(chosen, undefined)).map(({ name }) => name);
}
