import { lstatSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { codeOf } from "../output-error.js";

/**
 * Creates a folder and those above it, one after the other: where a file system
 * refuses (`/proc/x`), the recursive form in Node.js never ends.
 *
 * @param mode of the folders that are created
 * @returns the folders that were created, innermost first
 * @throws the error of the system; for a file of that name, only its user does
 */
export function makeFolder(folder: string, mode = 0o777): string[] {
  const missing: string[] = [];
  const created: string[] = [];
  for (let path = folder; isMissing(path); path = dirname(path)) missing.push(path);
  for (const path of missing.toReversed()) {
    try {
      mkdirSync(path, { mode });
      created.unshift(path);
    } catch (error) {
      // Another run has created it meanwhile.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  return created;
}

/** Returns whether a path does not exist, not even as a link to nothing. */
export function isMissing(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/**
 * Returns the folder of this tool below the home of the user, which no repository can contain;
 * `undefined` without a home.
 */
export function userFolder(): string | undefined {
  try {
    const home = homedir();
    // An empty or relative `HOME` would be a place in the working folder.
    return isAbsolute(home) ? join(home, ".cache", "acp-codegen") : undefined;
  } catch {
    return undefined;
  }
}
