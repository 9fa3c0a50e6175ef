import ts from "typescript";
import { describe, expect, test } from "vitest";
import { isOutputPath, type VirtualFile } from "../../../generators/output/file.js";
import { withHeader } from "../../../generators/output/header.js";
import { OWN } from "../../hostile/strings.js";

const file = (path: string, language: VirtualFile["language"], text: string): VirtualFile => ({
  path,
  language,
  text,
  profile: "v1",
  target: "t",
});

describe("a custom header", () => {
  test.each(OWN.map((line) => [JSON.stringify(line), line]))("is only a comment: %s", (_, line) => {
    const { text } = withHeader(file("a.ts", "typescript", "export const a = 1;\n"), [line]);
    const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
    expect(source.statements.map((statement) => statement.getText())).toEqual([
      "export const a = 1;",
    ]);
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics).toEqual([]);
    const page = withHeader(file("a.md", "markdown", "# A\n"), [line]).text;
    // The first thing that ends the comment is what was meant to.
    expect(page.slice(page.indexOf("--", 4))).toBe("-->\n\n# A\n");
  });
});

test("a file in a language that is not formatted has the notice in its comment form", () => {
  const { text } = withHeader(file("_a.py", { comment: "#" }, "A = 1\n"), ["Ours.\nimport os"]);
  const lines = text.split("\n");
  expect(lines[0]).toBe("# Ours. import os");
  expect(lines.slice(1, -3).every((line) => line.startsWith("# "))).toBe(true);
  expect(lines.slice(-3)).toEqual(["", "A = 1", ""]);
});

test("a file name may begin with an underscore, but not with a dot", () => {
  expect(isOutputPath("python/acp/__init__.py")).toBe(true);
  expect(isOutputPath("python/.acp")).toBe(false);
});
