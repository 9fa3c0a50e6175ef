import type { Protocol } from "../model/protocol.js";

/**
 * Checks whether an npm package has roles, thus needs the whole runtime: a profile of this run can
 * have them, or one that the run keeps has them.
 *
 * @param paths those of the files of the package
 */
export function hasRoles(protocols: readonly Protocol[], paths: readonly string[]): boolean {
  return (
    protocols.some(({ initialize }) => initialize !== undefined) ||
    paths.some((path) => /^typescript\/src\/[^/]+\/roles\.ts$/.test(path))
  );
}
