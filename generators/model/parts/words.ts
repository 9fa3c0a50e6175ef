import { snakeCase } from "../identifiers.js";

/** Symbols that are words themselves. */
const OPERATORS: { readonly [symbol: string]: string | undefined } = {
  "<": "less",
  ">": "greater",
  "=": "equal",
  "!": "not",
  "+": "plus",
  "*": "star",
  "%": "percent",
  "&": "and",
  "|": "or",
  "^": "caret",
  "~": "tilde",
};

/** Symbols that are words where they make a difference. */
const SEPARATORS: { readonly [symbol: string]: string | undefined } = {
  " ": "space",
  "-": "minus",
  _: "underscore",
  ".": "dot",
  ",": "comma",
  ":": "colon",
  ";": "semicolon",
  "/": "slash",
  "\\": "backslash",
  "'": "quote",
  '"': "quotes",
  "`": "backquote",
  "?": "question",
  "@": "at",
  "#": "hash",
  $: "dollar",
  "(": "open",
  ")": "close",
};

/**
 * Returns the words of a name in lower case: `sessionId` has `session` and `id`, `a<b` has `a`, `less`
 * and `b`. Each language puts them together in its own case.
 *
 * @returns at least one word, of letters and digits of any script
 */
export function wordsOf(name: string): readonly string[] {
  const words = split(name, (symbol) => OPERATORS[symbol]);
  return words.length === 0 ? spelledWords(name) : words;
}

/**
 * Returns the words of names that stand beside each other. Those that would have the same words have
 * their separators as words, and a digest if that makes no difference: no name depends on the order.
 *
 * @param pinOf returns the name that has been chosen for one
 */
export function distinctWords(
  names: readonly string[],
  pinOf: (name: string) => string | undefined = () => undefined,
): ReadonlyMap<string, readonly string[]> {
  const words = new Map(names.map((name) => [name, wordsOf(pinOf(name) ?? name)]));
  for (const longer of [spelledWords, (name: string) => [...spelledWords(name), digest(name)]]) {
    const counts = new Map<string, number>();
    for (const own of words.values()) counts.set(key(own), (counts.get(key(own)) ?? 0) + 1);
    for (const [name, own] of words)
      if (counts.get(key(own))! > 1 && pinOf(name) === undefined) words.set(name, longer(name));
  }
  return words;
}

/** Languages join words in different ways: `a-b` and `ab` would be one name in some. */
function key(words: readonly string[]): string {
  return words.join("");
}

function spelledWords(name: string): readonly string[] {
  const words = split(
    name,
    (symbol) =>
      OPERATORS[symbol] ?? SEPARATORS[symbol] ?? `u${symbol.codePointAt(0)!.toString(16)}`,
  );
  return words.length === 0 ? ["empty"] : words;
}

/** Splits a name at its symbols, which may be words, and at changes of case. */
function split(name: string, spell: (symbol: string) => string | undefined): readonly string[] {
  const pieces = name.normalize("NFKC").split(/([^\p{L}\p{Nd}])/u);
  return pieces
    .flatMap((piece, index) => (index % 2 === 0 ? snakeCase(piece).split("_") : spell(piece)))
    .filter((word): word is string => word !== undefined && word !== "");
}

/** Returns four letters that depend on all characters of a text. */
function digest(text: string): string {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 26 ** 4;
  return Array.from({ length: 4 }, (_, place) =>
    String.fromCharCode(97 + (Math.floor(sum / 26 ** place) % 26)),
  ).join("");
}

/** Returns words as one name: `SessionId`. */
export function pascalCase(words: readonly string[]): string {
  return words.map(capitalized).join("");
}

/** Returns words as the name of a property: `sessionId`. */
export function camelCased([first = "", ...rest]: readonly string[]): string {
  return first + pascalCase(rest);
}

/** Returns a word with a capital at its beginning. */
export function capitalized(word: string): string {
  const [first = "", ...rest] = word;
  return first.toUpperCase() + rest.join("");
}
