import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ROOT } from "../support/paths.js";
import { filesBelow } from "./sources.js";

/** References to papers that a reader of the repository does not have. */
const PAPERS = /protocol-facts|hazards\.md|older lists/g;

/** Texts by others, and output. */
const FOREIGN = /^test\/(fixtures|generators\/golden\/expected|programs\/.*\/generated)\//;

const OWN = "test/house/papers.test.ts";

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
