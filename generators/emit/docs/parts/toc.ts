import { inline, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { textOf, type Block, type HeadingView } from "./block.js";

/** A part of a page, with the parts in it. */
export interface TocView {
  readonly link: Inline;
  readonly parts: readonly Inline[];
}

/** Fewer headings than this are seen at once. */
const WORTH_IT = 4;

/** What stands on a page, by its headings of the first two levels; nothing for a short page. */
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
