import { inline, type Inline } from "../../../output/markup.js";
import type { Block, SignatureView } from "../blocks/block.js";
import { tocOf, type TocView } from "../components/toc.js";
import { createPageScope } from "../components/scope.js";
import { frameView, type Page } from "../layout/frame.js";
import type { Article, Site } from "../model/site.js";

/** What is on a page: its name, what it is about in a line and in a sentence, and blocks. */
export interface ArticleView {
  readonly name: Inline;
  readonly nameId: string;
  readonly signature: SignatureView | undefined;
  readonly lead: Inline;
  readonly toc: readonly TocView[];
  readonly blocks: readonly Block[];
}

/** Makes the page of an article. */
export function articlePage(article: Article, site: Site): Page {
  const { path, title, summary, scripts } = article;
  const scope = createPageScope(site, path);
  const frame = frameView(title, summary, scope, scripts);
  const view = articleView(inline(title), inline(summary), article.blocks(scope));
  return { path, template: "article", view: { ...view, frame } };
}

/** Returns what is on a page of blocks. */
export function articleView(
  name: Inline,
  lead: Inline,
  blocks: readonly Block[],
  about: Partial<Pick<ArticleView, "nameId" | "signature">> = {},
): ArticleView {
  return { name, nameId: "", signature: undefined, lead, toc: tocOf(blocks), blocks, ...about };
}
