import { snakeCase } from "../identifiers.js";

/**
 * Returns the words of a name in lower case: `sessionId` has `session` and `id`. Each language
 * puts them together in its own case.
 *
 * @returns at least one word, of ASCII letters and digits
 */
export function wordsOf(name: string): readonly string[] {
  const words = snakeCase(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  return words.length === 0 ? ["part"] : words;
}

/** Returns words as one name: `SessionId`. */
export function pascalCase(words: readonly string[]): string {
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
}
