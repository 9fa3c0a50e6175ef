import { selectParts, selectRows } from "../../../output/sections.js";
import { DEFAULT_PACKAGE, npmName, type PackageIdentity } from "../../package-facts.js";
import { exportsOf, hasBothVersions, type Contents } from "./package-manifest.js";

/**
 * Fits the README to a package: its name, its profiles in place of the standard ones, and only what
 * the package has.
 *
 * @param text the template
 */
export function fitReadme(text: string, contents: Contents, identity: PackageIdentity): string {
  const subpaths = new Set(Object.keys(exportsOf(contents)));
  const [v1, v2] = [profileOf(1, contents), profileOf(2, contents)];
  const facts = [
    ...(v1 === undefined ? [] : ["v1"]),
    ...(v2 === undefined ? [] : ["v2"]),
    ...(hasBothVersions(contents.profiles) ? ["versions"] : []),
    ...(subpaths.has("./bridge") ? ["bridge"] : []),
    ...(contents.profiles.length > 1 ? ["profiles"] : []),
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

/** Returns the profile of a version that samples use: the standard one, else the first with a handshake. */
function profileOf(version: number, { profiles, protocols }: Contents): string | undefined {
  const standard = `v${version}`;
  if (profiles.includes(standard)) return standard;
  const made = protocols.find(
    ({ initialize, versionNumber }) => initialize !== undefined && versionNumber === version,
  );
  return made?.profile ?? profiles.find((name) => name.startsWith(`${standard}-`));
}

/** Returns a second profile, as an example of another subpath. */
function otherThan(profile: string | undefined, { profiles }: Contents): string {
  const others = profiles.filter((name) => name !== profile);
  return others.find((name) => name === "v1-unstable") ?? others[0] ?? "v1-unstable";
}
