const KINDS = ["name", "string", "literal", "keyword", "comment"] as const;

/** A run of source text; plain text has no kind. */
export interface Token {
  readonly text: string;
  readonly kind?: (typeof KINDS)[number];
}

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const LITERAL = String.raw`-?\b\d[\w.+-]*|\b(?:true|false|null|undefined)\b`;
const KEYWORD =
  "as async await class const default export extends for from function if import in interface let new of return satisfies switch case throw try catch type typeof"
    .split(" ")
    .join("|");

const PYTHON_KEYWORD =
  "as async await class def elif else except finally for from if import in is lambda match not or pass raise return try while with yield"
    .split(" ")
    .join("|");

const GO_KEYWORD =
  "break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var"
    .split(" ")
    .join("|");

/** The patterns of a language; a match has the kind of the group that it fills. */
const PATTERNS: { readonly [language: string]: RegExp } = {
  json: new RegExp(`(?<name>${STRING})(?=\\s*:)|(?<string>${STRING})|(?<literal>${LITERAL})`, "g"),
  ts: new RegExp(
    `(?<comment>//[^\\n]*|/\\*[^]*?\\*/)|(?<string>${STRING}|'[^'\\n]*'|\`[^\`]*\`)|` +
      `(?<keyword>\\b(?:${KEYWORD})\\b)|(?<literal>${LITERAL})`,
    "g",
  ),
  python: new RegExp(
    `(?<comment>#[^\\n]*)|(?<string>"""[^]*?"""|${STRING}|'[^'\\n]*')|` +
      `(?<keyword>\\b(?:${PYTHON_KEYWORD})\\b)|(?<literal>${LITERAL}|\\b(?:True|False|None)\\b)`,
    "g",
  ),
  go: new RegExp(
    `(?<comment>//[^\\n]*|/\\*[^]*?\\*/)|(?<string>${STRING}|'[^'\\n]*'|\`[^\`]*\`)|` +
      `(?<keyword>\\b(?:${GO_KEYWORD})\\b)|(?<literal>${LITERAL}|\\bnil\\b)`,
    "g",
  ),
};

/** The names of languages for readers; `isProgram` is set for those that a reader chooses between. */
const TITLES: {
  readonly [language: string]: { readonly title: string; readonly isProgram?: true };
} = {
  json: { title: "JSON" },
  sh: { title: "Shell" },
  ts: { title: "TypeScript", isProgram: true },
  python: { title: "Python", isProgram: true },
  go: { title: "Go", isProgram: true },
  yaml: { title: "YAML" },
  toml: { title: "TOML" },
};

/** Returns the name of a language for readers; undefined for plain text and others. */
export function languageTitle(language: string): string | undefined {
  return Object.hasOwn(TITLES, language) ? TITLES[language]!.title : undefined;
}

/** Returns whether readers write their programs in a language. */
export function isProgramLanguage(language: string): boolean {
  return Object.hasOwn(TITLES, language) && TITLES[language]!.isProgram === true;
}

/** Splits source text into tokens, which together are the text; plain text for other languages. */
export function tokensOf(text: string, language: string): readonly Token[] {
  const pattern = Object.hasOwn(PATTERNS, language) ? PATTERNS[language] : undefined;
  if (pattern === undefined) return [{ text }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) tokens.push({ text: text.slice(end, match.index) });
    const kind = KINDS.find((one) => match.groups![one] !== undefined)!;
    tokens.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ text: text.slice(end) });
  return tokens;
}
