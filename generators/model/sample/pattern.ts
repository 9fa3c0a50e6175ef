import { readPattern } from "../../schema/json-schema/pattern/read-pattern.js";

/** The greatest length of a sample text. */
export const LONGEST = 1_000;

/** The characters to try for a class or an escape, the most readable first. */
const CHARACTERS = [..."aA01-_./ "].concat(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
);

/**
 * Builds a text from the first character that each part of a pattern matches.
 *
 * @param pattern an ECMAScript regular expression with the flag `u`
 * @param repeats how often to repeat a part that may occur any number of times
 * @returns undefined when the pattern is unsupported, no common character matches a part, or the
 *   text would be too long
 */
export function textOfPattern(pattern: string, repeats: number): string | undefined {
  let text = "";
  for (const { source, least, most } of readPattern(pattern)?.parts ?? [NONE]) {
    const count = most === 1 ? 1 : Math.max(least, Math.min(repeats, most));
    if (text.length + count > LONGEST) return undefined;
    const expression = new RegExp(`^${source}$`, "u");
    const character = [source, ...CHARACTERS].find((each) => expression.test(each));
    if (character === undefined) return undefined;
    text += character.repeat(count);
  }
  return text;
}

/** A part that does not match any text. */
const NONE = { source: "[]", least: 1, most: 1 };
