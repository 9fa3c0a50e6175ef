import { describe, expect, test } from "vitest";
import {
  readPatch,
  textsOf,
} from "../../../../../templates/typescript/runtime/bridge/convert/git-patch.js";
import { quotePath } from "../../../../../templates/typescript/runtime/agent/diff-v2.js";

const part = (before: string, after: string, hunk = "@@ -1 +1 @@\n-1\n+2\n"): string =>
  `diff --git ${before} ${after}\n--- ${before}\n+++ ${after}\n${hunk}`;

describe("a patch of Git", () => {
  test.each([
    ["absolute", "/src/a.ts", "/src/a.ts"],
    ["with a prefix", "b/src/a.ts", "/src/a.ts"],
    ["with a prefix before an absolute path", "b//src/a.ts", "/src/a.ts"],
    ["with spaces, which a tab follows", "/src/a b.ts\t", "/src/a b.ts"],
    ["quoted, with a tab", '"/src/a\\tb"', "/src/a\tb"],
    ["quoted, with bytes", '"/gr\\303\\266\\303\\237e"', "/größe"],
    ["quoted, with text beside bytes", '"/größe \\303\\266"', "/größe ö"],
    ["quoted, with quotes and backslashes", '"/a\\"\\\\b"', '/a"\\b'],
    ["quoted, with every letter", '"/\\a\\b\\t\\n\\v\\f\\r"', "/\x07\b\t\n\v\f\r"],
    ["quoted, with a prefix", '"b/src/a\\tb"', "/src/a\tb"],
    ["of Windows", '"C:\\\\src\\\\a.ts"', "C:\\src\\a.ts"],
    ["quoted as our own diffs are", quotePath('/ "\t\\'), '/ "\t\\'],
  ])("is found by a path that is %s", (_, written, path) => {
    const patch = readPatch(part("/other", "/other") + part("/old", written));
    expect(patch.find(path, 5, 5)).toBe(patch.parts[1]);
    expect(patch.find(`${path}x`, 5, 5)).toBeUndefined();
  });

  test("has the path of a deleted file", () => {
    const { parts, find } = readPatch(part("/deleted", "/dev/null"));
    expect(find("/deleted", 0, 1)).toBe(parts[0]);
  });

  test("is found in its place where its path is relative, and not where it is another", () => {
    const { parts, find } = readPatch(part("a/src/a.ts", "b/src/a.ts") + part("/x", "/x"));
    expect(find("/home/src/a.ts", 0, 2)).toBe(parts[0]);
    expect(find("/home/src/a.ts", 0, 1)).toBeUndefined();
    expect(find("/home/y", 1, 2)).toBeUndefined();
  });

  test("without hunks has no text", () => {
    expect(readPatch("diff --git /a /b\nrename from /a\nrename to /b\n").parts).toEqual([]);
    expect(readPatch("").parts).toEqual([]);
  });

  test("has both texts, with the ends of lines as they are", () => {
    const hunk = "@@ -1,2 +1,2 @@\n same\r\n--- a\n+++ b\n\\ No newline at end of file\n";
    expect(textsOf(part("/a", "/a", hunk))).toEqual({
      before: "same\r\n-- a\n",
      after: "same\r\n++ b",
    });
  });
});
