import { readPattern } from "../../schema/json-schema/pattern/read-pattern.js";

/** The greatest length of a sample text. */
export const LONGEST = 1_000;

/** The characters to try for a class or an escape, the most readable first. */
const CHARACTERS = [..."aA01-_./ "].concat(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
);

/**
 * Builds a text from the first character that each part of a pattern matches. Of alternatives, the
 * first counts.
 *
 * @param pattern an ECMAScript regular expression with the flag `u`
 * @param repeats how often to repeat a part that may occur any number of times
 * @returns undefined when the pattern is unsupported, no common character matches a part, or the
 *   text would be too long
 */
export function textOfPattern(pattern: string, repeats: number): string | undefined {
  let text = "";
  const simple = readPattern(pattern) ?? readPattern(withoutGroups(pattern));
  for (const { source, least, most } of simple?.parts ?? [NONE]) {
    const count = most === 1 ? 1 : Math.max(least, Math.min(repeats, most));
    if (text.length + count > LONGEST) return undefined;
    const expression = new RegExp(`^${source}$`, "u");
    const character = [source, ...CHARACTERS].find((each) => expression.test(each));
    if (character === undefined) return undefined;
    text += character.repeat(count);
  }
  return new RegExp(pattern, "u").test(text) ? text : undefined;
}

/** Escapes, classes, the beginnings and ends of groups with their quantifiers, and other characters. */
const TOKENS =
  /\\[^]|\[(?:\\[^]|[^\]\\])*\]|\((?<kind>\?(?:[:=!]|<[^>]*>))?|\)(?<least>[*+?]|\{\d+(?:,\d*)?\})?\??|[^]/gu;

/** Writes the first alternative of each group in its place, as often as it must occur; at least once. */
function withoutGroups(pattern: string): string {
  const open: { text: string; isOver: boolean; readonly isAssertion: boolean }[] = [
    { text: "", isOver: false, isAssertion: false },
  ];
  for (const { 0: token, groups } of pattern.matchAll(TOKENS)) {
    const last = open.at(-1)!;
    if (token.startsWith("(")) {
      const isAssertion = ["?=", "?!"].includes(groups?.["kind"] ?? "");
      open.push({ text: "", isOver: false, isAssertion });
    } else if (token.startsWith(")") && open.length > 1) {
      const { text, isAssertion } = open.pop()!;
      const least = Number(/\d+/.exec(groups?.["least"] ?? "")?.[0] ?? 1);
      const around = open.at(-1)!;
      if (!around.isOver && !isAssertion) around.text += text.repeat(Math.min(least, LONGEST));
    } else if (token === "|") last.isOver = true;
    else if (!last.isOver && token !== "\\b" && token !== "\\B") last.text += token;
  }
  return open[0]!.text;
}

/** A part that does not match any text. */
const NONE = { source: "[]", least: 1, most: 1 };
