import { basename, dirname, resolve } from "node:path";
import type { LintException, LintExceptions } from "./lint-exceptions.js";
import { createLoader, jsonFiles, loadDialect } from "./load.js";

const FILE = "lint-exceptions.json";

/**
 * Reads what lint lets pass, from `lint-exceptions.json` in the schema folder.
 *
 * @param directory the `schema/` folder
 * @returns undefined when the file does not exist
 * @throws InputError when it does not follow the dialect
 */
export function loadLintExceptions(directory: string): LintExceptions | undefined {
  const path = jsonFiles(directory).find((file) => basename(file) === FILE);
  if (path === undefined) return undefined;
  const loader = createLoader(dirname(resolve(directory)), loadDialect(directory));
  const document = loader.read("lint", path);
  loader.finish();
  const exceptions = document!["exceptions"] as unknown as readonly LintException[];
  return { file: loader.display(path), exceptions };
}
