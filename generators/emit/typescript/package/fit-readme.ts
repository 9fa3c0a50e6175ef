import { selectParts, selectRows } from "../../../output/sections.js";
import { DEFAULT_PACKAGE, npmName, type PackageIdentity } from "../../package-facts.js";
import { profileFacts, sampleProfiles } from "../../sample-profiles.js";
import { exportsOf, hasBothVersions, type Contents } from "./package-manifest.js";

/**
 * Fits the README to a package: its name, its profiles in place of the standard ones, and only what
 * the package has.
 *
 * @param text the template
 */
export function fitReadme(text: string, contents: Contents, identity: PackageIdentity): string {
  const subpaths = new Set(Object.keys(exportsOf(contents)));
  const samples = sampleProfiles(contents.profiles, contents.protocols);
  const { v1, v2 } = samples;
  const facts = [
    ...profileFacts(contents.profiles, samples),
    ...(hasBothVersions(contents.profiles) ? ["versions"] : []),
    ...(subpaths.has("./bridge") ? ["bridge"] : []),
  ];
  const name = npmName(identity);
  const selected = selectParts(text, new Set(facts))
    .replaceAll(`${DEFAULT_PACKAGE}/v1-unstable`, `${DEFAULT_PACKAGE}/${otherThan(v1, contents)}`)
    .replace(
      /\bacp-bindings\/v1(?![-\w])/g,
      `${DEFAULT_PACKAGE}/${v1 ?? v2 ?? contents.profiles[0]}`,
    )
    .replace(
      /\bacp-bindings\/v2(?![-\w])/g,
      `${DEFAULT_PACKAGE}/${v2 ?? v1 ?? contents.profiles[0]}`,
    );
  return selectRows(selected, (code) => {
    const subpath = code.startsWith(`${DEFAULT_PACKAGE}/`)
      ? `.${code.slice(DEFAULT_PACKAGE.length)}`
      : undefined;
    return subpath === undefined || subpaths.has(subpath);
  }).replaceAll(DEFAULT_PACKAGE, () => name);
}

/** Returns a second profile, as an example of another subpath. */
function otherThan(profile: string | undefined, { profiles }: Contents): string {
  const others = profiles.filter((name) => name !== profile);
  return others.find((name) => name === "v1-unstable") ?? others[0] ?? "v1-unstable";
}
