import type { Options } from "prettier";
import type { LineComments, VirtualFile } from "./file.js";
import { remember, type Memo } from "../schema/memo.js";

/** All options, so that Prettier's result does not depend on a configuration file. */
const OPTIONS: Options = {
  printWidth: 100,
  tabWidth: 2,
  useTabs: false,
  semi: true,
  singleQuote: false,
  quoteProps: "as-needed",
  trailingComma: "all",
  bracketSpacing: true,
  objectWrap: "preserve",
  arrowParens: "always",
  proseWrap: "preserve",
  endOfLine: "lf",
  embeddedLanguageFormatting: "off",
};

type Formatted = Exclude<VirtualFile["language"], "plain" | LineComments>;

/**
 * Parsers in the order in which they are tried. Babel's takes half the time of TypeScript's and gives
 * the same text; it cannot parse `-1[]`, so the other one is the fallback.
 */
const PARSERS: { readonly [language in Formatted]: readonly string[] } = {
  typescript: ["babel-ts", "typescript"],
  markdown: ["markdown"],
  json: ["json"],
};

/**
 * Formats a file for readers with prettier; plain files and those of other languages come back as they are.
 * Only the declarations that were not formatted before are given to it.
 *
 * @throws Error when the text does not parse: an emitter printed something wrong
 */
export async function formatFile(file: VirtualFile, memo?: Memo): Promise<VirtualFile> {
  const { text, language } = file;
  if (language === "plain" || typeof language === "object") return file;
  try {
    const isSource = language === "typescript" && memo !== undefined;
    const formatted = isSource
      ? await formatDeclarations(text, memo)
      : await remember(memo, language, text, () => format(text, language));
    return { ...file, text: formatted };
  } catch (error) {
    throw new Error(`${file.path} cannot be formatted: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function format(
  text: string,
  language: Formatted,
  [parser, ...others] = PARSERS[language],
): Promise<string> {
  const prettier = await import("prettier");
  try {
    return await prettier.format(text, {
      ...OPTIONS,
      parser: parser!,
      // Without a name prettier guesses whether TypeScript has JSX, in quadratic time.
      ...(language === "typescript" && { filepath: "file.ts" }),
    });
  } catch (error) {
    if (others.length === 0) throw error;
    return format(text, language, others);
  }
}

/** An empty line before what can only stand at the top level of a module. */
const BETWEEN_DECLARATIONS = /\n\n(?=(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/\n)?(?:export|import) )/;

/**
 * Formats new declarations together and caches each one separately: its surroundings do not change
 * how Prettier formats it.
 */
async function formatDeclarations(text: string, memo: Memo): Promise<string> {
  const keyOf = (declaration: string): string => `typescript ${declaration}`;
  const declarations = text.trim().split(BETWEEN_DECLARATIONS);
  const added = [...new Set(declarations)].filter((one) => memo.get(keyOf(one)) === undefined);
  if (added.length > 0) {
    const formatted = await format(added.join("\n\n"), "typescript").catch(() => undefined);
    const parts = formatted?.trimEnd().split(BETWEEN_DECLARATIONS);
    // Not a list of declarations: format the whole text, or throw its syntax error.
    if (parts?.length !== added.length) return format(text, "typescript");
    added.forEach((declaration, index) => memo.set(keyOf(declaration), parts[index]!));
  }
  return `${declarations.map((one) => memo.get(keyOf(one))).join("\n\n")}\n`;
}
