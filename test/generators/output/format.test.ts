import { describe, expect, test } from "vitest";
import { formatFile } from "../../../generators/output/format.js";
import type { Memo } from "../../../generators/schema/memo.js";
import { compileMini } from "../golden/compile-mini.js";

/** A memo, and what it was asked for in vain. */
function createMemo(): Memo & { readonly missed: string[] } {
  const texts = new Map<string, string>();
  const missed: string[] = [];
  return {
    missed,
    get: (key) => {
      if (!texts.has(key)) missed.push(key);
      return texts.get(key);
    },
    set: (key, text) => void texts.set(key, text),
  };
}

const typescript = (text: string): Parameters<typeof formatFile>[0] => ({
  path: "a.ts",
  profile: "v1",
  target: "types",
  language: "typescript",
  text,
});

describe("formatting declaration by declaration", () => {
  test("gives the same text as formatting the whole file, for all emitted files", async () => {
    const memo = createMemo();
    const plain = await compileMini();
    const once = await compileMini(memo);
    expect(once).toEqual(plain);
    memo.missed.length = 0;
    expect(await compileMini(memo)).toEqual(plain);
    expect(memo.missed).toEqual([]);
  });

  test("formatting formatted text changes nothing", async () => {
    const files = (await compileMini()).filter(({ language }) => language !== "plain");
    const languages = files
      .map(({ language }) => language)
      .filter((one) => typeof one === "string");
    expect(new Set(languages).size).toBe(3);
    for (const file of files) expect((await formatFile(file)).text, file.path).toBe(file.text);
  });

  test("formats only changed declarations", async () => {
    const memo = createMemo();
    const text = (b: string): string => `export type A={a:1}\n\n/** B. */\nexport type B=${b}\n`;
    await formatFile(typescript(text("{b:1}")), memo);
    memo.missed.length = 0;
    const { text: formatted } = await formatFile(typescript(text("{b:2}")), memo);
    expect(formatted).toBe("export type A = { a: 1 };\n\n/** B. */\nexport type B = { b: 2 };\n");
    expect(memo.missed).toEqual(["typescript /** B. */\nexport type B={b:2}"]);
  });

  test("formats the whole text when a part is not a declaration", async () => {
    const memo = createMemo();
    const text = (a: string): string => `const a=\`${a}\n\nexport x\`;\n`;
    for (const a of ["1", "2"]) {
      const { text: formatted } = await formatFile(typescript(text(a)), memo);
      expect(formatted).toBe(`const a = \`${a}\n\nexport x\`;\n`);
    }
  });

  test("formats syntax that only TypeScript's own parser supports", async () => {
    const { text } = await formatFile(typescript("export type A  = -1[]"), createMemo());
    expect(text).toBe("export type A = -1[];\n");
  });

  test("names the file that does not parse", async () => {
    await expect(formatFile(typescript("export type A = ;"), createMemo())).rejects.toThrow(
      /^a\.ts cannot be formatted: /,
    );
  });
});
