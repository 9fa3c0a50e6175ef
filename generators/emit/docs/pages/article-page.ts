import { inline, type Inline } from "../../../output/markup.js";
import type { Block } from "../parts/block.js";
import { tocOf, type TocView } from "../parts/toc.js";
import { createScope } from "../frame/scope.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { Article, Site } from "../site-types.js";

interface ArticleView {
  readonly frame: FrameView;
  readonly name: string;
  readonly lead: Inline;
  readonly badges: readonly BadgeView[];
  readonly toc: readonly TocView[];
  /** Whether no part of the table of contents has parts of its own. */
  readonly flat: boolean;
  readonly blocks: readonly Block[];
}

/** Makes the page of an article. */
export function articlePage(article: Article, site: Site): Page {
  const scope = createScope(site, article.path);
  const blocks = article.blocks(scope);
  const toc = tocOf(blocks);
  const view: ArticleView = {
    frame: frameView(article.title, article.summary, scope, article.scripts),
    name: article.title,
    lead: inline(article.summary),
    badges: [],
    toc,
    flat: toc.every(({ parts }) => parts.length === 0),
    blocks,
  };
  return { path: article.path, template: "article", view };
}
