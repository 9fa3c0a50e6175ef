import type { Site } from "../site.js";

/** Where any two profiles can be chosen, below the whole site. */
export const COMPARE_PATH = "compare.html";

/** The page that compares two profiles. */
export function pairPath(from: Site, to: Site): string {
  return `compare/${from.protocol.profile}/${to.protocol.profile}.html`;
}

/** The same for programs. */
export function pairFile(from: Site, to: Site): string {
  return `compare/${from.protocol.profile}/${to.protocol.profile}.json`;
}
