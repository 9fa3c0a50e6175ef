import type { Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { templateText, type EmitContext, type EmittedFile } from "../emitter.js";
import { npmName } from "../package-facts.js";
import { articlePage } from "./pages/article-page.js";
import { articlesOf } from "./articles/article-list.js";
import { checkDocs } from "./check/check-docs.js";
import { refuseMovedThatExist } from "./frame/moved-anchors.js";
import { indexPage } from "./pages/index-page.js";
import { DOWNLOAD_FILES, downloads } from "./downloads/download-files.js";
import { methodPage } from "./pages/method-page.js";
import { rootFiles } from "./front/root-files.js";
import { createSites } from "./create-sites.js";
import type { DocsInputs } from "./docs-inputs.js";
import { movedPages } from "./pages/moved-pages.js";
import { typePage } from "./pages/type-page.js";
import { validatorFiles } from "./downloads/validator-files.js";
import { createRenderer, type RenderedPage } from "./render.js";
import { ICON_PATH, SCRIPT_PATH, STYLESHEET_PATH, THEME_PATH } from "./frame/paths.js";
import type { Page } from "./frame/frame.js";
import type { Site } from "./site-types.js";

/** The parts of the script that every page loads, in the order in which they run. */
const SCRIPT_PARTS = ["page", "code", "search-box"].map((name) => `docs/assets/site/${name}.js`);

/** Emits the pages of all profiles, and the files above them: the front page and the lists for programs. */
export function emitSite(
  protocols: readonly Protocol[],
  inputs: DocsInputs,
  context: EmitContext,
): EmittedFile[] {
  const { siteTexts, validatorCores, siteCode } = inputs;
  const sites = createSites(protocols, {
    docs: siteTexts.docs,
    rules: siteTexts.rules,
    packageName: npmName(context),
    code: siteCode,
    articles: (site) =>
      articlesOf(site, siteTexts.templates, validatorCores.has(site.protocol.profile)),
    files: DOWNLOAD_FILES,
  });
  const files = [...sites].flatMap(([profile, site]) =>
    profileFiles(site, inputs).map(([path, text]) => file(profile, `${profile}/${path}`, text)),
  );
  const written = files.map(({ path }) => path);
  return [
    ...files,
    ...rootFiles([...sites.values()], written, inputs).map(([path, text]) => file("*", path, text)),
  ];
}

/** Returns the pages of a profile, and what they need to work. */
function profileFiles(
  site: Site,
  { siteTexts: { templates }, validatorCores }: DocsInputs,
): readonly (readonly [path: string, text: string])[] {
  checkDocs(site, templates);
  const render = createRenderer(templates);
  const rendered = pagesOf(site).map((makePage): RenderedPage => {
    // One at a time: what a page is made from takes far more room than the page.
    const page = makePage();
    const { path, view } = page;
    const summary = view.frame.summary;
    return { path, summary, html: render.html(page), markdown: render.markdown(page) };
  });
  refuseMovedThatExist(site, rendered);
  return [
    [STYLESHEET_PATH, templateText("docs/assets/style.css", templates)],
    [SCRIPT_PATH, SCRIPT_PARTS.map((part) => templateText(part, templates)).join("")],
    [THEME_PATH, templateText("docs/assets/theme.js", templates)],
    [ICON_PATH, templateText("docs/assets/favicon.svg", templates)],
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
