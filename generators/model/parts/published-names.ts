import type { Protocol } from "../protocol.js";
import { buildParts } from "./build-parts.js";

/**
 * Returns the names of all parts inside of definitions, which a release publishes.
 *
 * @param protocols the protocol of each profile
 * @returns the names by version and path, sorted
 */
export function publishedNames(protocols: readonly Protocol[]): {
  readonly [version: string]: { readonly [path: string]: string };
} {
  const versions = [...new Set(protocols.map(({ version }) => version))].sort();
  return Object.fromEntries(
    versions.map((version) => {
      const parts = protocols
        .filter((protocol) => protocol.version === version)
        .flatMap((protocol) => [...buildParts(protocol).values()]);
      const names = parts
        .filter(({ path }) => path.length > 1)
        .map(({ path, name }) => [path.join("/"), name] as const);
      return [version, Object.fromEntries(names.sort(([one], [other]) => (one < other ? -1 : 1)))];
    }),
  );
}
