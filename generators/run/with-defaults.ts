import { loadSources } from "../schema/source/load-sources.js";
import { isNamedSelection } from "./inputs/select-profiles.js";
import { DEFAULTS } from "./defaults.js";
import type { GenerateOptions } from "./options.js";
import { targetNames } from "./targets/select-targets.js";

/** Prints the outputs of a configuration with all defaults, as JSON. */
export function printConfig(resolved: readonly GenerateOptions[]): string {
  return JSON.stringify({ outputs: resolved.map(withDefaults) }, null, 2);
}

/** Returns the options of an output with the defaults of those that are absent. */
export function withDefaults({ documented: _, ...options }: GenerateOptions): GenerateOptions {
  const { schemaDirectory = DEFAULTS.schemaDirectory } = options;
  return {
    ...(isNamedSelection(options) && { profiles: profileNames(schemaDirectory) }),
    out: DEFAULTS.out,
    targets: [...targetNames(false)],
    layout: DEFAULTS.layout,
    ...options,
  };
}

function profileNames(directory: string): string[] {
  return [...loadSources(directory).profiles.keys()];
}
