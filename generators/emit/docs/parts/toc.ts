import { inline, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { textOf, type Block, type HeadingView } from "./block.js";

/** A part of a page, with the parts in it. */
export interface TocView {
  readonly link: Inline;
  readonly parts: readonly Inline[];
}

/** Pages with fewer headings have no table of contents. */
const WORTH_IT = 4;

/** The table of contents, from headings of the first two levels; empty for a short page. */
export function tocOf(blocks: readonly Block[]): readonly TocView[] {
  const found: { link: Inline; parts: Inline[] }[] = [];
  let count = 0;
  for (const { heading, subheading } of blocks) {
    if (heading !== undefined) found.push({ link: linkTo(heading), parts: [] });
    else if (subheading !== undefined) found.at(-1)?.parts.push(linkTo(subheading));
    if (heading ?? subheading) count++;
  }
  return count < WORTH_IT ? [] : found;
}

function linkTo({ id, text }: HeadingView): Inline {
  return inline(textLink(textOf(text.pieces), fragmentUrl(id)));
}
