import { loadSources } from "../schema/source/load-sources.js";
import { TARGETS } from "../targets.js";
import { SITE_TARGET } from "./generate/manifest-file.js";
import { SCHEMA } from "./installation.js";
import type { GenerateOptions } from "./options.js";

/** Returns the options of an output with the defaults of those that are absent. */
export function withDefaults(options: GenerateOptions): GenerateOptions {
  const { profiles, protocol, schema, schemaDirectory = SCHEMA } = options;
  const isNamed = [profiles, protocol, schema].every((selection) => selection === undefined);
  return {
    ...(isNamed && { profiles: profileNames(schemaDirectory) }),
    out: "out",
    targets: TARGETS.filter(
      ({ name, onRequest = false }) => !onRequest && name !== SITE_TARGET,
    ).map(({ name }) => name),
    layout: "package",
    ...options,
  };
}

function profileNames(directory: string): string[] {
  return [...loadSources(directory).profiles.keys()];
}
