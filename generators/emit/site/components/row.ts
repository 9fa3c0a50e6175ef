import { inline, type Inline } from "../../../output/markup.js";
import type { Mark, Row } from "../blocks/block.js";

/** Returns a row with the given parts. */
export function row(name: Inline, parts: Omit<Row, "name" | "facts">): Row {
  const { type, marks = [], badges = [] } = parts;
  const words = [...marks.map(({ text }) => text), ...badges.map(({ label }) => label)];
  return { name, facts: type === undefined ? words : [type, ...words], ...parts };
}

/** Returns marks for the words that are not empty. */
export function may(...words: readonly (string | Inline | undefined)[]): readonly Mark[] {
  return words.flatMap((word): Mark[] =>
    word === undefined || word === "" ? [] : [{ tone: "may", text: inline(word) }],
  );
}

/** Returns the mark of a part that may be required. */
export function presence({ required }: { readonly required: boolean }): readonly Mark[] {
  return required ? [{ tone: "must", text: inline("required") }] : may("optional");
}
