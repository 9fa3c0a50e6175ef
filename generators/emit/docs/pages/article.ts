import { inline, type Inline } from "../../../output/markup.js";
import type { Block } from "../parts/block.js";
import {
  createScope,
  frameView,
  type BadgeView,
  type FrameView,
  type Page,
  type PageScope,
} from "../frame/page.js";
import type { Site } from "../site.js";
import { tocOf, type TocView } from "../parts/toc.js";

/** A page that is no page of a method or type. */
export interface Article {
  /** Below the profile's folder. */
  readonly path: string;
  readonly title: string;
  /** For the head of the page, as plain text. */
  readonly summary: string;
  /** Where the navigation has it. */
  readonly group: "learn" | "reference" | "tools" | "hidden";
  readonly blocks: (scope: PageScope) => readonly Block[];
  /** Scripts that it needs beside that of every page. */
  readonly scripts?: readonly string[];
}

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
