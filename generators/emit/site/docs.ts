import type { Emitter } from "../emitter.js";
import { DOCS_INPUTS } from "./docs-inputs.js";

/** The documentation of all profiles: a page for every method and type, each with a Markdown twin. */
export const docs: Emitter<(typeof DOCS_INPUTS)[number]> = {
  name: "docs",
  summary: "HTML pages for every method, type, feature and rule, with Markdown twins",
  onRequest: true,
  inputs: DOCS_INPUTS,
  // A third of the generator's code: few runs need it.
  emit: async (...given) => (await import("./emit-site.js")).emitSite(...given),
};
