import type { ResolvedConfig } from "./config.js";
import { usageError } from "./messages.js";
import { SITE_TARGET } from "./site-target.js";

/**
 * Returns the sites of a configuration: those of the outputs with a `site` or with the target
 * `docs`, or that of its only output.
 *
 * @param url replaces the address of each site
 * @throws InputError for a configuration with several outputs, none of which is a site
 */
export function siteOutputs({ outputs, ...rest }: ResolvedConfig, url?: string): ResolvedConfig {
  const named = outputs.filter(
    ({ site, targets }) => site !== undefined || targets?.includes(SITE_TARGET),
  );
  if (named.length === 0 && outputs.length > 1)
    throw usageError(
      "the configuration has several outputs, none of which is a site",
      'Add "site": {} to one of them, or select the profiles with flags.',
    );
  const sites = named.length === 0 ? outputs : named;
  return {
    ...rest,
    outputs: sites.map((output) => ({
      ...output,
      targets: [SITE_TARGET],
      ...(url !== undefined && { site: { ...output.site, url } }),
    })),
  };
}
