import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

/** Private words; the field has its own: "reported", "received", "statistics", "timeout". */
const PRIVATE =
  /\b(?:(?:un)?told|judg(?:es?|ed|ing|ement)|hears?|heard|gone|tally|tallies|complain(?:s|ed|ts?)?|patience|elsewhere|glance|closer look|(?:first|second)[ -]look|tombstone|unmakeable|why not sent|sendable|is bad enough|thrown text)\b/gi;

/** Words of titles that do not state a rule in plain English. */
const VAGUE = /\b(?:tells?|whence|anew|nobody|of one's own|wrong use)\b/gi;

const TITLE =
  /\b(?:describe|test|it|deepTest|deepDescribe)\b[^"`\n]*\(\s*(?:"([^"\n]*)"|`([^`]*)`),/g;

/** Files that name such a word on purpose. */
const EXCEPTIONS: { readonly [path: string]: readonly string[] } = {
  // The rule for descriptions that refuses the word.
  "generators/schema/lint/rules/wording.ts": ["told"],
};

/** References to papers that a reader of the repository does not have. */
const PAPERS = /protocol-facts|hazards\.md|older lists/g;

/** Texts by others, and output. */
const FOREIGN = /^test\/(fixtures|generators\/golden\/expected|programs\/.*\/generated)\//;

const OWN = "test/house/words.test.ts";

describe("the words of the sources", () => {
  const files = ["generators", "templates", "schema", "test", "bin"]
    .flatMap((folder) => filesBelow(folder))
    .concat("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
    .filter((path) => /\.(ts|mjs|js|py|md|hbs|json|toml)$/.test(path))
    .filter((path) => path !== OWN && !FOREIGN.test(path));

  test("are the field's, in names and in texts", () => {
    const found = files.flatMap((path): [string, string[]][] => {
      const words = wordsOf(readFileSync(join(ROOT, path), "utf8")).match(PRIVATE) ?? [];
      return words.length > 0 ? [[path, [...new Set(words)]]] : [];
    });
    expect(Object.fromEntries(found)).toEqual(EXCEPTIONS);
  });

  test("are plain in the titles of tests", () => {
    const found = files
      .filter((path) => path.endsWith(".test.ts"))
      .flatMap((path) =>
        [...readFileSync(join(ROOT, path), "utf8").matchAll(TITLE)]
          .map(([, plain, template]) => plain ?? template ?? "")
          .filter((title) => title.match(VAGUE) !== null)
          .map((title) => `${path}: ${title}`),
      );
    expect(found).toEqual([]);
  });
});

/** Returns a text with the words of its names separated, as in `isBadEnough` and `was_told`. */
function wordsOf(text: string): string {
  return text.replace(/([a-z])(?=[A-Z])/g, "$1 ").replaceAll("_", " ");
}

describe("no text cites a paper that is not in the repository", () => {
  const folders = ["generators", "templates", "schema", "test", "out/typescript/src"];
  const files = [...folders.flatMap((folder) => filesBelow(folder)), "README.md", "CONTRIBUTING.md"]
    .filter((path) => /\.(ts|mjs|js|json|hbs|md|css)$/.test(path))
    .filter((path) => path !== OWN && !FOREIGN.test(path));

  test("by its name", () => {
    const found = files.flatMap((path) =>
      [...readFileSync(join(ROOT, path), "utf8").matchAll(PAPERS)].map(
        ([paper]) => `${path}: ${paper}`,
      ),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  test("by the number of a rule in a comment", () => {
    const found = files
      .filter((path) => path.endsWith(".ts"))
      .map((path) => [path, readFileSync(join(ROOT, path), "utf8")] as const)
      .filter(([, text]) => /\bR\d{1,2}\b/.test(text))
      .flatMap(([path, text]) =>
        commentsOf(text).flatMap((comment) =>
          [...comment.matchAll(/\bR\d{1,2}\b/g)].map(([rule]) => `${path}: ${rule}`),
        ),
      );
    expect([...new Set(found)]).toEqual([]);
  });

  test("by the number of a threat in the title of a test", () => {
    const title = /\b(?:describe|test|it)\w*(?:\.\w+(?:\([^()]*\))?)*\(\s*["'`][ACDE]\d+\b[:,]/;
    const found = files
      .filter((path) => path.endsWith(".test.ts"))
      .filter((path) => title.test(readFileSync(join(ROOT, path), "utf8")));
    expect(found).toEqual([]);
  });
});

function commentsOf(text: string): string[] {
  const scanner = ts.createScanner(
    ts.ScriptTarget.Latest,
    false,
    ts.LanguageVariant.Standard,
    text,
  );
  const comments: string[] = [];
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan())
    if (
      kind === ts.SyntaxKind.SingleLineCommentTrivia ||
      kind === ts.SyntaxKind.MultiLineCommentTrivia
    )
      comments.push(scanner.getTokenText());
  return comments;
}
