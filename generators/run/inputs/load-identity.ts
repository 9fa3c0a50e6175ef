import type { PackageIdentity, PackageTexts } from "../../emit/package-facts.js";
import type { GenerateOptions } from "../options.js";
import { readText, requirePlainFile } from "./input-files.js";
import { isFilled, packageFacts, textPaths } from "./package-options.js";

/**
 * Returns whose the packages of a run are, with the texts at the paths of the options.
 *
 * @throws InputError for a path that is not that of a file
 */
export function loadIdentity(options: GenerateOptions): PackageIdentity {
  const { readmes = {}, ...paths } = textPaths(options);
  const texts: PackageTexts = {
    ...readAll(paths),
    ...(isFilled(readmes) && { readmes: readAll(readmes) }),
  };
  return { ...packageFacts(options), ...(isFilled(texts) && { texts }) };
}

function readAll(paths: { readonly [name: string]: string }): { readonly [name: string]: string } {
  const read = (path: string): string => `${readText(requirePlainFile(path)).trimEnd()}\n`;
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, read(path)]));
}
