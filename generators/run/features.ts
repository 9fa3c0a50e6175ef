import { loadSources } from "../schema/source/load-sources.js";
import type { FeatureSource } from "../schema/source/sources.js";
import { unknownName } from "./messages.js";

/** The facts about a feature. */
export interface FeatureFacts {
  readonly protocol: string;
  readonly name: string;
  readonly title: string;
  readonly status: FeatureSource["status"];
  readonly proposal?: string;
  readonly requires: readonly string[];
  /** Methods that it adds, by name on the wire. */
  readonly methods: readonly string[];
  /** The number of definitions that it adds. */
  readonly definitions: number;
  /** The profiles that have it on. */
  readonly profiles: readonly string[];
}

/**
 * Lists the features, sorted by protocol version and name.
 *
 * @param directory the folder with the canonical schema
 * @param protocol only those of one protocol version
 * @throws InputError for an unknown version, or an error in the schema
 */
export function listFeatures(directory: string, protocol?: string): FeatureFacts[] {
  const { protocols, profiles } = loadSources(directory);
  if (protocol !== undefined && !protocols.has(protocol)) {
    throw unknownName("protocol version", protocol, protocols.keys());
  }
  return [...protocols.values()]
    .filter(({ name }) => protocol === undefined || name === protocol)
    .flatMap((version) =>
      [...version.features.values()].map((feature) => ({
        protocol: version.name,
        name: feature.name,
        title: feature.title,
        status: feature.status,
        ...(feature.proposal !== undefined && { proposal: feature.proposal }),
        requires: feature.requires,
        methods: [...new Set(feature.methods.map((method) => method.name))],
        definitions: feature.modules.reduce(
          (count, module) => count + Object.keys(module.definitions).length,
          0,
        ),
        profiles: [...profiles.values()]
          .filter(
            (profile) =>
              profile.protocol === version.name && profile.features.includes(feature.name),
          )
          .map((profile) => profile.name),
      })),
    );
}
