import type { Protocol } from "../../model/protocol.js";
import type { Manifest } from "../../output/manifest.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import type { GenerateOptions, Selection } from "../options.js";

/**
 * Returns the facts about each profile that the manifest records: what it was
 * generated from. Custom selections and imported schemas have an `origin`; a run
 * for every named profile is not responsible for them.
 */
export function profileFacts(
  protocols: readonly Protocol[],
  options: GenerateOptions,
): { readonly [profile: string]: Json } {
  const { schema, layout = "package", package: named, header } = options;
  const entries = protocols.map(({ profile, version, features, upstream }): [string, Json] => [
    profile,
    {
      protocol: version,
      ...(!isNamedSelection(options) && { origin: schema ? "import" : "selection" }),
      features: features.map(({ name }) => name),
      upstream: { package: upstream.package, release: upstream.release, digests: upstream.digests },
      ...(layout !== "package" && { layout }),
      ...(named !== undefined && { package: { ...named } }),
      ...(header !== undefined && { header }),
    },
  ]);
  return Object.fromEntries(entries);
}

/** Returns whether a run is for profiles that the schema names, unchanged. */
export function isNamedSelection({
  protocol,
  with: added,
  without,
  name,
  schema,
}: Selection): boolean {
  return [protocol, added, without, name, schema].every((option) => option === undefined);
}

/** Returns the named profiles of earlier runs. */
export function namedProfiles(manifest: Manifest | undefined): string[] {
  return Object.entries(manifest?.profiles ?? {})
    .filter(([, facts]) => isObject(facts) && facts["origin"] === undefined)
    .map(([name]) => name);
}
