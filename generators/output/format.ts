import { format as prettierFormat, type Options } from "prettier";
import type { VirtualFile } from "./file.js";

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

/**
 * Formats a file for readers with prettier; plain files come back as they are.
 *
 * @throws Error when the text does not parse: an emitter printed something wrong
 */
export async function formatFile(file: VirtualFile): Promise<VirtualFile> {
  if (file.language === "plain") return file;
  try {
    return {
      ...file,
      text: await prettierFormat(file.text, { ...OPTIONS, parser: file.language }),
    };
  } catch (error) {
    throw new Error(`${file.path} cannot be formatted: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
