import type { Protocol } from "../model/protocol.js";
import { selectParts } from "../output/sections.js";

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

/** A package whose README is fitted. */
interface SampledPackage {
  /** The names of all its profiles. */
  readonly profiles: readonly string[];
  /** The protocols of this run. */
  readonly protocols: readonly Protocol[];
  /** What templates can ask for, besides its profiles. */
  readonly facts: readonly string[];
}

/**
 * Fits a README to the profiles of a package: it keeps the parts that are true, and the standard
 * profiles of each version become those that samples use.
 *
 * @param text the template
 * @param before stands before the names of profiles
 * @param nameOf returns the name by which a profile is imported
 */
export function fitToProfiles(
  text: string,
  { profiles, protocols, facts }: SampledPackage,
  before: string,
  nameOf: (profile: string) => string,
): string {
  const { v1, v2 } = sampleProfiles(profiles, protocols);
  const isTrue = [
    ...(v1 === undefined ? [] : ["v1"]),
    ...(v2 === undefined ? [] : ["v2"]),
    ...(profiles.length > 1 ? ["profiles"] : []),
  ];
  const shown = { v1: v1 ?? v2 ?? profiles[0]!, v2: v2 ?? v1 ?? profiles[0]! };
  const standard = new RegExp(`(?<=${before.replaceAll(".", "\\.")})v[12](?![-\\w])`, "g");
  const selected = selectParts(text, new Set([...facts, ...isTrue]));
  return selected.replace(standard, (name) => nameOf(shown[name as keyof typeof shown]));
}
