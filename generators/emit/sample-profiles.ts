import type { Protocol } from "../model/protocol.js";

/** The profiles that samples use, by version of the protocol: the standard ones, where a package has them. */
export interface SampleProfiles {
  readonly v1: string | undefined;
  readonly v2: string | undefined;
}

/**
 * Chooses the profiles for the samples of a package.
 *
 * @param profiles the names of all its profiles
 * @param protocols those of this run
 */
export function sampleProfiles(
  profiles: readonly string[],
  protocols: readonly Protocol[],
): SampleProfiles {
  const find = (version: number): string | undefined => {
    const standard = `v${version}`;
    if (profiles.includes(standard)) return standard;
    const made = protocols.find(
      ({ initialize, versionNumber }) => initialize !== undefined && versionNumber === version,
    );
    return made?.profile ?? profiles.find((name) => name.startsWith(`${standard}-`));
  };
  return { v1: find(1), v2: find(2) };
}

/** Returns what templates can ask for about the profiles of a package. */
export function profileFacts(profiles: readonly string[], { v1, v2 }: SampleProfiles): string[] {
  return [
    ...(v1 === undefined ? [] : ["v1"]),
    ...(v2 === undefined ? [] : ["v2"]),
    ...(profiles.length > 1 ? ["profiles"] : []),
  ];
}
