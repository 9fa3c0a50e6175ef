import { inline, type Inline } from "../../../output/markup.js";
import type { Block } from "../parts/block.js";
import { tocOf, type TocView } from "../parts/toc.js";
import { createScope } from "../frame/scope.js";
import { frameView, type Page } from "../frame/frame.js";
import type { Article, Site } from "../site-types.js";

interface ArticleView {
  readonly name: string;
  readonly lead: Inline;
  readonly toc: readonly TocView[];
  readonly blocks: readonly Block[];
}

/** Makes the page of an article. */
export function articlePage(article: Article, site: Site): Page {
  const { path, title, summary, scripts } = article;
  const scope = createScope(site, path);
  const frame = frameView(title, summary, scope, scripts);
  const view = { ...articleView(title, summary, article.blocks(scope)), frame };
  return { path, template: "article", view };
}

/** Returns what is on a page of blocks. */
export function articleView(name: string, lead: string, blocks: readonly Block[]): ArticleView {
  return { name, lead: inline(lead), toc: tocOf(blocks), blocks };
}
