import { selectRows } from "../../../output/sections.js";
import { DEFAULT_PACKAGE, npmName, type PackageIdentity } from "../../package-facts.js";
import { fitToProfiles, sampleProfiles } from "../../sample-profiles.js";
import { exportsOf, hasBothVersions, type Contents } from "./package-manifest.js";

/**
 * Fits the README to a package: its name, its profiles in place of the standard ones, and only what
 * the package has.
 *
 * @param text the template
 */
export function fitReadme(text: string, contents: Contents, identity: PackageIdentity): string {
  const subpaths = new Set(Object.keys(exportsOf(contents)));
  const facts = [
    ...(hasBothVersions(contents.profiles) ? ["versions"] : []),
    ...(subpaths.has("./bridge") ? ["bridge"] : []),
    ...(contents.parts.some(({ name }) => name === "methods") ? ["methods"] : []),
    ...(isComplete(contents) ? ["complete"] : []),
  ];
  const { v1 } = sampleProfiles(contents.profiles, contents.protocols);
  const example = `${DEFAULT_PACKAGE}/${otherThan(v1, contents)}`;
  const selected = fitToProfiles(
    text.replaceAll(`${DEFAULT_PACKAGE}/v1-unstable`, example),
    { ...contents, facts },
    `${DEFAULT_PACKAGE}/`,
    String,
  );
  return selectRows(selected, (code) => {
    const subpath = code.startsWith(`${DEFAULT_PACKAGE}/`)
      ? `.${code.slice(DEFAULT_PACKAGE.length)}`
      : undefined;
    return subpath === undefined || subpaths.has(subpath);
  }).replaceAll(DEFAULT_PACKAGE, () => npmName(identity));
}

/** The parts of a profile that the programs of the README import. */
const PARTS = ["types", "schemas", "roles", "mocks"];

/** Returns whether every profile has all parts: a run may generate some targets only. */
function isComplete({ profiles, parts }: Contents): boolean {
  return profiles.every((profile) =>
    PARTS.every((name) => parts.some((part) => part.profile === profile && part.name === name)),
  );
}

/** Returns a second profile, as an example of another subpath. */
function otherThan(profile: string | undefined, { profiles }: Contents): string {
  const others = profiles.filter((name) => name !== profile);
  return others.find((name) => name === "v1-unstable") ?? others[0] ?? "v1-unstable";
}
