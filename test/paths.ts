import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * The folder of shared reference data and fixtures beside the repository. The
 * project works without it; tests that need it are skipped where it is absent.
 */
export const SHARED = fileURLToPath(new URL("../../shared/", import.meta.url));

export const hasShared = existsSync(SHARED);

/** Continuous integration always has the shared data, so nothing is skipped there. */
if (process.env["CI"] === "true" && !hasShared) {
  throw new Error("the shared fixtures are missing, and CI never skips the tests that need them");
}
