import { resolve } from "node:path";
import { SCHEMA } from "./installation.js";
import type { GenerateOptions } from "./options.js";

/** The values of options that are absent. */
export const DEFAULTS = {
  out: "out",
  schemaDirectory: SCHEMA,
  layout: "package",
  importExtension: "js",
} as const satisfies GenerateOptions;

/** Options without defaults to apply; `out` is absolute. */
export type ResolvedOptions = GenerateOptions &
  Required<Pick<GenerateOptions, keyof typeof DEFAULTS>>;

/** Applies the defaults; an option that is `undefined` counts as absent. */
export function resolveOptions(options: GenerateOptions): ResolvedOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const { out = DEFAULTS.out } = options;
  return { ...DEFAULTS, ...Object.fromEntries(given), out: resolve(out) };
}

/** The options that a manifest records for each profile. */
const RECORDED = ["layout", "importExtension", "header"] as const;

/** Options as a manifest records them: those that are not the default. */
export type RecordedOptions = Pick<GenerateOptions, (typeof RECORDED)[number]>;

/** Returns the options that a manifest records. */
export function recordedOptions(options: RecordedOptions): RecordedOptions {
  const defaults: RecordedOptions = DEFAULTS;
  const names = RECORDED.filter((name) => options[name] !== defaults[name]);
  return Object.fromEntries(names.map((name) => [name, options[name]]));
}
