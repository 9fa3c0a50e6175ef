import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LANGUAGES, type Language } from "../../generators/output/languages.js";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

/** What names each language; the word for Go is also a verb. */
const WORDS: { readonly [language in Language]: RegExp } = {
  python: /python/i,
  go: /"go"|\bgofmt\b|\bgolang\b|\bemit\/go\b/,
};

/** The lists of languages and of targets, and the colours of code. */
const LISTS = ["targets", "output/languages", "output/highlight"].map(
  (name) => `generators/${name}.ts`,
);

test.each(LANGUAGES)("only the folders of the language and the lists name %s", (language) => {
  const own = new RegExp(`^generators/emit/${language}/|^templates/(starters/)?${language}/`);
  const found = [...filesBelow("generators"), ...filesBelow("templates")]
    .filter((path) => !own.test(path) && !LISTS.includes(path))
    .filter((path) => !/\.md$|config\.ts$/.test(path))
    .filter((path) => WORDS[language].test(readFileSync(join(ROOT, path), "utf8")));
  expect(found).toEqual([]);
});
