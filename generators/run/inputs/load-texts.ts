import { readFileSync } from "node:fs";
import type { LanguageFacts, PackageIdentity, PackageTexts } from "../../emit/package-facts.js";
import { LANGUAGES } from "../../output/languages.js";
import { withLf } from "../../output/text.js";
import type { GenerateOptions } from "../options.js";
import { requirePlainFile } from "./input-files.js";

/**
 * Returns whose the packages of a run are, with the texts at the paths of the options.
 *
 * @throws InputError for a path that is not that of a file
 */
export function loadIdentity(options: GenerateOptions): PackageIdentity {
  const { licenseFile, changelog, readme, ...facts } = options.package ?? {};
  const languages: { [language: string]: LanguageFacts } = {};
  const readmes: { [language: string]: string } = {};
  for (const language of LANGUAGES) {
    const { readme: path, ...own } = options[language] ?? {};
    if (options[language] !== undefined) languages[language] = own;
    if (path !== undefined) readmes[language] = readText(path);
  }
  const texts: PackageTexts = {
    ...(licenseFile !== undefined && { license: readText(licenseFile) }),
    ...(changelog !== undefined && { changelog: readText(changelog) }),
    ...(readme !== undefined && { readme: readText(readme) }),
    ...(isFilled(readmes) && { readmes }),
  };
  return {
    ...(options.package !== undefined && { package: facts }),
    ...(isFilled(languages) && { languages }),
    ...(isFilled(texts) && { texts }),
  };
}

function isFilled(members: object): boolean {
  return Object.keys(members).length > 0;
}

/** Returns the text of a file as a checkout with LF has it. */
function readText(path: string): string {
  const text = readFileSync(requirePlainFile(path), "utf8").replace(/^\ufeff/, "");
  return `${withLf(text).trimEnd()}\n`;
}
