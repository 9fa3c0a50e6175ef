import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The start of the title of a test or a suite, whatever stands between its name and its title. */
const TITLE = /\b(?:describe|test|it)(?:\.\w+(?:\([\s\S]*?\))?)*\(\s*["`]([^"`\n]*)/g;

/**
 * The titles of all tests and suites below a folder, as they stand in the
 * sources: holes of templates are not filled.
 */
export function testTitles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts"))
    .map((path) => readFileSync(join(folder, path), "utf8"))
    .flatMap((text) => [...text.matchAll(TITLE)].map(([, title]) => title!));
}
