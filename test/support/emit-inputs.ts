import { NO_SETTINGS, type LoadedInputs, type SiteTexts } from "../../generators/emit/inputs.js";
import { siteCode } from "../../generators/emit/typescript/types/site-code.js";
import type { PackageIdentity } from "../../generators/emit/package-facts.js";
import { NO_DOCS } from "../../generators/schema/source/docs-source.js";
import { NO_RULES } from "../../generators/schema/source/rule-source.js";

/** The inputs of targets where a test needs none of them. */
export const NO_INPUTS: LoadedInputs = {
  bridge: undefined,
  behavior: undefined,
  codecs: new Map(),
  siteTexts: { docs: NO_DOCS, rules: NO_RULES, templates: new Map() },
  validatorCores: new Map(),
  searchCore: "",
  siteCode: [],
  site: NO_SETTINGS,
};

/** The inputs of a site with these texts. */
export function siteInputs(
  texts: Partial<SiteTexts>,
  identity: PackageIdentity = {},
): LoadedInputs {
  return {
    ...NO_INPUTS,
    siteTexts: { ...NO_INPUTS.siteTexts, ...texts },
    siteCode: [(protocol) => siteCode(protocol, identity)],
  };
}
