import type { Options } from "prettier";
import type { LineComments, VirtualFile } from "./file.js";
import { remember, type Memo } from "../schema/memo.js";

/** Given in full, so that no configuration file lying around is ever read. */
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
 * Of the two parsers of TypeScript, Babel's takes half the time; the text is the
 * same. It does not know all of TypeScript (`-1[]`), so the other one has the last word.
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
 * Prettier formats a declaration the same whatever surrounds it. So those
 * that are new are formatted together, and each is remembered by itself.
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
