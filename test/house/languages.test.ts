import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

/** The languages besides TypeScript, in which the tool itself is written: each has a folder of starters. */
const LANGUAGES = readdirSync(join(ROOT, "templates/starters")).filter(
  (name) => name !== "typescript",
);

/** The lists of languages and of targets, and the colours of code. */
const LISTS = ["targets", "output/languages", "output/highlight"].map(
  (name) => `generators/${name}.ts`,
);

test.each(LANGUAGES)("only the folders of the language and the lists name %s", (language) => {
  const own = new RegExp(`^generators/emit/${language}/|^templates/(starters/)?${language}/`);
  const found = [...filesBelow("generators"), ...filesBelow("templates")]
    .filter((path) => !own.test(path) && !LISTS.includes(path))
    .filter((path) => !/\.md$|config\.ts$/.test(path))
    .filter((path) => new RegExp(language, "i").test(readFileSync(join(ROOT, path), "utf8")));
  expect(LANGUAGES.length).toBeGreaterThan(0);
  expect(found).toEqual([]);
});
