import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.js";

/**
 * Test data of other projects, which may lie beside the repository but are not
 * part of it. Tests that need it are extras: they are skipped where it is
 * absent, and no claim of this project rests on them alone.
 */
const FOLDER = join(ROOT, "../shared");

/** First line of `fixtures/README.md`: another folder may have the same name. */
const MARK = "# Messages that this project did not write\n";

/** Whether the extra fixtures are there. */
export const hasExtras = isExtras(FOLDER);

/**
 * Tells whether tests have to be skipped for want of the extra fixtures, and
 * says so in one line: `describe.skipIf(lacksExtras("the examples of …"))`.
 *
 * @param what the tests or the data that they are about
 */
export function lacksExtras(what: string): boolean {
  if (!hasExtras) console.info(`extra fixtures are not here: skipped ${what}`);
  return !hasExtras;
}

/** Returns the path of an extra file or folder, e.g. `fixtures/nes/proposal-draft.json`. */
export function extraPath(path: string): string {
  return join(FOLDER, path);
}

function isExtras(folder: string): boolean {
  const file = join(folder, "fixtures/README.md");
  return existsSync(file) && readFileSync(file, "utf8").startsWith(MARK);
}
