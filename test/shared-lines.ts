import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hasShared, SHARED } from "./paths.js";

/**
 * Reads newline-delimited JSON of the shared fixtures.
 *
 * @param path the file below the folder of fixtures, without its ending
 * @returns the value of each line; none where the shared data is absent
 */
export function sharedLines<T>(path: string): T[] {
  if (!hasShared) return [];
  return readFileSync(join(SHARED, `fixtures/${path}.ndjson`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
