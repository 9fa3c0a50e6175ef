import type { Emitter } from "../emitter.js";

/** The documentation of a profile: a page for every method and type, each with a Markdown twin. */
export const docs: Emitter = {
  name: "docs",
  summary: "HTML pages for every method, type, feature and rule, with Markdown twins",
  onRequest: true,
  // A third of the generator's code: few runs need it.
  emit: async (...given) => (await import("./emit-site.js")).emitProfile(...given),
  finish: async (...given) => (await import("./emit-site.js")).emitRoot(...given),
};
