declare const brand: unique symbol;

/**
 * Source text of a language. Text that comes from a schema becomes source text only through the
 * functions of the language's emitter; the type system keeps plain strings out.
 */
export type SourceText<Language extends string> = string & { readonly [brand]: Language };

type Separator =
  "" | ", " | " + " | " and " | " or " | " | " | " || " | " && " | "\n" | "\n\n" | "\n\n\n";

/** What makes source text of source text, in any language. */
export interface SourceTools<Language extends string> {
  /** Source text put together from fixed text and holes that are source text themselves. */
  readonly code: (
    fixed: TemplateStringsArray,
    ...holes: readonly SourceText<Language>[]
  ) => SourceText<Language>;
  readonly join: (
    parts: readonly SourceText<Language>[],
    separator: Separator,
  ) => SourceText<Language>;
  /** Indents all lines that are not empty by one level. */
  readonly indent: (text: SourceText<Language>) => SourceText<Language>;
  /**
   * A name that is an identifier already.
   *
   * @throws Error when it is not
   */
  readonly identifier: (name: string) => SourceText<Language>;
}

/** @param level the spaces of one level of indentation */
export function sourceTools<Language extends string>(level: string): SourceTools<Language> {
  type Text = SourceText<Language>;
  return {
    code: (fixed, ...holes) =>
      fixed.map((text, index) => text + (holes[index] ?? "")).join("") as Text,
    join: (parts, separator) => parts.join(separator) as Text,
    indent: (text) => text.replace(/^(?=[^\n])/gm, level) as Text,
    identifier: (name) => {
      if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name))
        throw new Error(`not an identifier: ${JSON.stringify(name)}`);
      return name as Text;
    },
  };
}

/** Escapes characters that some tools take for line ends, and those that readers cannot see. */
export function escapeInvisible(text: string): string {
  return text.replace(
    /[\u007f-\u00a0\u2028\u2029\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the lines of a text without line ends and control characters that source text cannot have. */
export function plainLines(text: string): readonly string[] {
  return text
    .replace(/\r\n?|[\f\v\u0085\u2028\u2029]/g, "\n")
    .replace(/[\0-\t\x0e-\x1f\x7f]/g, " ")
    .replace(/[\ud800-\udfff]/gu, "\ufffd")
    .trim()
    .split("\n")
    .map((line) => line.trim());
}

/** Breaks a line where it gets too long; the lines of a list item are below its text. */
export function wrapLine(line: string, width: number): readonly string[] {
  const rest = line.startsWith("- ") ? "  " : "";
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/ +/)) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = rest + word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
