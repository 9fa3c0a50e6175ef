import type { LanguageFacts, PackageIdentity, PackageTexts } from "../../emit/package-facts.js";
import { LANGUAGES } from "../../output/languages.js";
import type { GenerateOptions } from "../options.js";

/** Returns what the options say about the packages of a run, without the paths of texts. */
export function packageFacts(options: GenerateOptions): Omit<PackageIdentity, "texts"> {
  const { licenseFile: _, changelog: __, readme: ___, ...facts } = options.package ?? {};
  const languages: { [language: string]: LanguageFacts } = {};
  for (const language of LANGUAGES) {
    const { readme: ____, ...own } = options[language] ?? {};
    if (options[language] !== undefined) languages[language] = own;
  }
  return {
    ...(options.package !== undefined && { package: facts }),
    ...(isFilled(languages) && { languages }),
  };
}

/** Returns the paths of the texts of the user's own, in the place of the texts. */
export function textPaths(options: GenerateOptions): PackageTexts {
  const { licenseFile, changelog, readme } = options.package ?? {};
  const readmes = Object.fromEntries(
    LANGUAGES.flatMap((language) => {
      const path = options[language]?.readme;
      return path === undefined ? [] : [[language, path]];
    }),
  );
  return {
    ...(licenseFile !== undefined && { license: licenseFile }),
    ...(changelog !== undefined && { changelog }),
    ...(readme !== undefined && { readme }),
    ...(isFilled(readmes) && { readmes }),
  };
}

/** Returns whether an object has members. */
export function isFilled(members: object): boolean {
  return Object.keys(members).length > 0;
}
