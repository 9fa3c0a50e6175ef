import type { EmitInputs } from "../emitter.js";

/** The inputs of the site. */
export const DOCS_INPUTS = [
  "bridge",
  "siteTexts",
  "validatorCores",
  "searchCore",
  "siteCode",
  "site",
] as const;

export type DocsInputs = Pick<EmitInputs, (typeof DOCS_INPUTS)[number]>;
