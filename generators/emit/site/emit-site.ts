import { checkBridges } from "../../model/bridge/check-bridge.js";
import type { Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { templateText, type EmitContext, type EmittedFile } from "../emitter.js";
import { isOwnPackage, npmName } from "../package-facts.js";
import { articlePage } from "./pages/article-page.js";
import { articlesOf } from "./articles/article-list.js";
import { checkAnchors, checkPages, isFrontPage, readPages } from "./articles/guides/own-pages.js";
import { appliesTo, sortGuides, readGuides, type Guide } from "./articles/guides/read-guides.js";
import { checkDocs } from "./check/check-docs.js";
import { refuseMovedThatExist } from "./layout/moved-anchors.js";
import { indexPage } from "./pages/index-page.js";
import { DOWNLOAD_FILES, downloads } from "./downloads/download-files.js";
import { methodPage } from "./pages/method-page.js";
import { rootFiles, rootPages } from "./home/root-files.js";
import { createSites } from "./create-sites.js";
import type { DocsInputs } from "./docs-inputs.js";
import { manualLinks } from "./home/manual-pages.js";
import { lossLinks } from "./home/loss-page.js";
import { movedPages } from "./pages/moved-pages.js";
import { typePage } from "./pages/type-page.js";
import { validatorFiles } from "./downloads/validator-files.js";
import { createRenderer, type RenderedPage, type Renderer } from "./render.js";
import { stylesheet } from "./layout/stylesheet.js";
import { ICON_PATH, SCRIPT_PATH, STYLESHEET_PATH } from "./paths.js";
import type { Page } from "./layout/frame.js";
import type { Site } from "./model/site.js";

/** Emits the pages of all profiles, and the files above them: the front page and the lists for programs. */
export function emitSite(
  protocols: readonly Protocol[],
  inputs: DocsInputs,
  context: EmitContext,
): EmittedFile[] {
  const { siteTexts, validatorCores, siteCode, site: settings } = inputs;
  const render = createRenderer(siteTexts.templates);
  const pages = readPages(settings.pages);
  const own = pages.filter((page) => !isFrontPage(page));
  const guides = sortGuides([...readGuides(siteTexts.templates), ...own]);
  const bridges = inputs.bridge === undefined ? [] : checkBridges(inputs.bridge, protocols).bridges;
  const sites = createSites(protocols, {
    docs: siteTexts.docs,
    rules: siteTexts.rules,
    packageName: npmName(context),
    isOwn: isOwnPackage(context),
    ...(context.published === true && { published: true }),
    code: siteCode,
    articles: (site) => articlesOf(site, guides, validatorCores.has(site.protocol.profile)),
    files: DOWNLOAD_FILES,
    settings,
    manual: settings.manual
      ? [
          ...manualLinks(siteTexts.templates, protocols, isOwnPackage(context)),
          ...lossLinks(bridges),
        ]
      : [],
  });
  const all = [...sites.values()];
  const front = pages.find(isFrontPage);
  const above = rootPages(all, front, guides, bridges, inputs);
  checkPages(pages, all, (path) => above.some((page) => page.path === path));
  const files = all.flatMap((site) => {
    const { profile } = site.protocol;
    return profileFiles(site, guides, render, inputs, context.onPage).map(([path, text]) =>
      file(profile, `${profile}/${path}`, text),
    );
  });
  const written = files.map(({ path }) => path);
  const root = rootFiles(all, above, written, render, inputs).map(([path, text]) =>
    file("*", path, text),
  );
  const texts = [...files, ...root].map(
    ({ path, text }) => [path.slice("site/".length), text] as const,
  );
  checkAnchors(ownPaths(all, own, front), new Map(texts));
  return [...files, ...root];
}

/** The files of the user's pages, by the paths of the pages below the site. */
function ownPaths(
  sites: readonly Site[],
  own: readonly Guide[],
  front: Guide | undefined,
): ReadonlyMap<string, string> {
  const paths = sites.flatMap((site) =>
    own
      .filter((page) => appliesTo(page, site))
      .map(({ article, file: from }): [string, string] => [
        `${site.protocol.profile}/${article.path}`,
        from,
      ]),
  );
  return new Map([...paths, ...(front === undefined ? [] : [["index.html", front.file] as const])]);
}

/** Returns the pages of a profile, and what they need to work. */
function profileFiles(
  site: Site,
  guides: readonly Guide[],
  render: Renderer,
  { siteTexts: { templates }, validatorCores }: DocsInputs,
  onPage: EmitContext["onPage"],
): readonly (readonly [path: string, text: string])[] {
  checkDocs(site, guides);
  const rendered = pagesOf(site).map((makePage, index, { length }): RenderedPage => {
    onPage?.(site.protocol.profile, index, length);
    // One at a time: what a page is made from takes far more room than the page.
    const page = makePage();
    const { path, view } = page;
    const summary = view.frame.summary;
    return { path, summary, html: render.html(page), markdown: render.markdown(page) };
  });
  refuseMovedThatExist(site, rendered);
  return [
    [STYLESHEET_PATH, stylesheet(templates, site.settings)],
    [SCRIPT_PATH, templateText("site/assets/site.js", templates)],
    [ICON_PATH, site.settings.logo ?? templateText("site/assets/favicon.svg", templates)],
    ...validatorFiles(site, validatorCores.get(site.protocol.profile), templates),
    ...downloads(site, rendered),
    ...rendered.flatMap(({ path, html, markdown }): [string, string][] => [
      [path, html],
      [`${path}.md`, markdown],
    ]),
  ];
}

/** The pages of a profile, each made when it is asked for. */
function pagesOf(site: Site): readonly (() => Page)[] {
  return [
    () => indexPage(site),
    ...site.articles.map((article) => () => articlePage(article, site)),
    ...[...site.methodPaths.keys()].map((name) => () => methodPage(name, site)),
    ...site.protocol.definitions.map((definition) => () => typePage(definition, site)),
    ...movedPages(site).map((page) => () => page),
  ];
}

function file(profile: string, path: string, text: string): EmittedFile {
  return { path: outputPath("site", ...path.split("/")), profile, text, language: "plain" };
}
