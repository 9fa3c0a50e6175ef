import type { EmitInputs } from "../emitter.js";

/** The inputs of the site. */
export const DOCS_INPUTS = [
  "bridge",
  "siteTexts",
  "validatorCores",
  "searchCore",
  "siteCode",
  "siteUrl",
] as const;

export type DocsInputs = Pick<EmitInputs, (typeof DOCS_INPUTS)[number]>;
