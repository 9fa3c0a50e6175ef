import type { Protocol } from "../../model/protocol.js";
import type { Manifest } from "../../output/manifest.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { GenerateOptions } from "./generate.js";
import type { InputOptions } from "../inputs/select-profiles.js";

/**
 * What the manifest says of each profile: what it was made from. A selection of
 * the user's own and an imported schema are marked, since a run for all named
 * profiles is not responsible for them.
 */
export function profileFacts(
  protocols: readonly Protocol[],
  options: GenerateOptions,
): { readonly [profile: string]: Json } {
  const entries = protocols.map(({ profile, version, features, upstream }): [string, Json] => [
    profile,
    {
      protocol: version,
      ...(!takesNamed(options) && { origin: options.schemaFile ? "import" : "selection" }),
      features: features.map(({ name }) => name),
      upstream: { package: upstream.package, release: upstream.release, digests: upstream.digests },
      ...(options.package !== undefined && { package: { ...options.package } }),
      ...(options.header !== undefined && { header: options.header }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Whether a run is about profiles that the schema names, unchanged. */
export function takesNamed(options: InputOptions): boolean {
  const { protocol, with: added, without, name, schemaFile } = options;
  return [protocol, added, without, name, schemaFile].every((option) => option === undefined);
}

/** The profiles of earlier runs that the schema named. */
export function namedProfiles(manifest: Manifest | undefined): string[] {
  return Object.entries(manifest?.profiles ?? {})
    .filter(([, facts]) => isObject(facts) && facts["origin"] === undefined)
    .map(([name]) => name);
}
