import { inline, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { inlineText, type Block } from "../blocks/block.js";

/** A part of a page, with the parts in it. */
export interface TocView {
  readonly link: Inline;
  readonly parts: readonly Inline[];
}

/** Pages with fewer parts have no table of contents. */
const WORTH_IT = 3;

/** The table of contents, from headings of the first two levels and rows; empty for a short page. */
export function tocOf(blocks: readonly Block[]): readonly TocView[] {
  const found: { link: Inline; parts: Inline[] }[] = [];
  for (const { heading, subheading, rows } of blocks) {
    if (heading !== undefined && heading.isQuiet !== true)
      found.push({ link: linkTo(heading.text, heading.id), parts: [] });
    const inner = found.at(-1)?.parts ?? [];
    if (subheading !== undefined) inner.push(linkTo(subheading.text, subheading.id));
    if (rows === undefined || rows.tone === "values") continue;
    for (const { id, name, folded } of rows.rows)
      if (id !== undefined && folded === undefined) inner.push(linkTo(name, id));
  }
  const count = found.reduce((sum, { parts }) => sum + 1 + parts.length, 0);
  return count < WORTH_IT ? [] : found;
}

/** Of a variant, the value of its tag is enough; of a path, its last name, indented. */
function linkTo(text: Inline, id: string): Inline {
  const name = inlineText(text).replace(/^\w+: (?=")/, "");
  const shown = name.replace(/^(?:\w+\.)+(?=\w+$)/, (above) =>
    "\u00a0\u00a0".repeat(above.split(".").length - 1),
  );
  return inline(textLink(shown, fragmentUrl(id)));
}
