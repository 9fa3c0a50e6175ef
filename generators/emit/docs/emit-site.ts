import type { Protocol } from "../../model/protocol.js";
import { outputPath } from "../../output/file.js";
import { NO_DOCS } from "../../schema/source/docs-source.js";
import { NO_RULES } from "../../schema/source/rule-source.js";
import { DEFAULT_PACKAGE, type EmitContext, type EmittedFile } from "../emitter.js";
import { articlePage } from "./pages/article-page.js";
import { articlesOf } from "./articles/article-list.js";
import { checkDocs } from "./check/check-docs.js";
import { refuseMovedThatExist } from "./frame/moved-anchors.js";
import { indexPage } from "./pages/index-page.js";
import { DOWNLOAD_FILES, downloads } from "./downloads/download-files.js";
import { methodPage } from "./pages/method-page.js";
import { rootFiles } from "./front/root-files.js";
import { createSites } from "./create-sites.js";
import { movedPages } from "./pages/moved-pages.js";
import { typePage } from "./pages/type-page.js";
import { validatorFiles } from "./downloads/validator-files.js";
import { createRenderer, type RenderedPage } from "./render.js";
import { ICON_PATH, SCRIPT_PATH, STYLESHEET_PATH, THEME_PATH } from "./frame/paths.js";
import type { Page } from "./frame/frame.js";
import type { Site } from "./site-types.js";

/** The parts of the script that every page loads, in the order in which they run. */
const SCRIPT_PARTS = ["page", "code", "search-box"].map((name) => `docs/assets/site/${name}.js`);

/** The pages of a profile, and what they need to work. */
export function emitProfile(protocol: Protocol, context: EmitContext): EmittedFile[] {
  const site = sitesOf(context, [protocol]).get(protocol.profile)!;
  checkDocs(site, context.templates);
  const render = createRenderer(context.templates);
  const rendered = pagesOf(site).map((makePage): RenderedPage => {
    // One at a time: what a page is made from takes far more room than the page.
    const page = makePage();
    const { path, view } = page;
    const summary = view.frame.summary;
    return { path, summary, html: render.html(page), markdown: render.markdown(page) };
  });
  refuseMovedThatExist(site, rendered);
  const texts: readonly (readonly [path: string, text: string])[] = [
    [STYLESHEET_PATH, asset("docs/assets/style.css", context)],
    [SCRIPT_PATH, SCRIPT_PARTS.map((part) => asset(part, context)).join("")],
    [THEME_PATH, asset("docs/assets/theme.js", context)],
    [ICON_PATH, asset("docs/assets/favicon.svg", context)],
    ...validatorFiles(site, context),
    ...downloads(site, rendered),
    ...rendered.flatMap(({ path, html, markdown }): [string, string][] => [
      [path, html],
      [`${path}.md`, markdown],
    ]),
  ];
  return texts.map(([path, text]) => file([protocol.profile, ...path.split("/")], text));
}

/** Emits the files above the profiles: the front page and the lists for programs. */
export function emitRoot(
  protocols: readonly Protocol[],
  files: readonly EmittedFile[],
  context: EmitContext,
): EmittedFile[] {
  if (context.protocols === undefined) return [];
  const written = files.filter(({ path }) => path.startsWith("site/")).map(({ path }) => path);
  return rootFiles([...sitesOf(context, protocols).values()], written, context).map(
    ([path, text]) => file(path.split("/"), text),
  );
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

function file(segments: readonly string[], text: string): EmittedFile {
  return { path: outputPath("site", ...segments), text, language: "plain" };
}

/** @throws Error when the templates lack it */
function asset(path: string, { templates }: EmitContext): string {
  const text = templates.get(path);
  if (text === undefined) throw new Error(`the template ${path} is missing`);
  return text;
}

const known = new WeakMap<EmitContext, ReadonlyMap<string, Site>>();

/** All sites of a run; made once, since every page of one may lead to the others. */
function sitesOf(context: EmitContext, alone: readonly Protocol[]): ReadonlyMap<string, Site> {
  const made = known.get(context);
  if (made !== undefined && alone.every(({ profile }) => made.has(profile))) return made;
  const {
    docs: source = NO_DOCS,
    rules = NO_RULES,
    validatorCores = new Map<string, string>(),
    siteCode = [],
  } = context;
  const sites = createSites(context.protocols ?? alone, {
    docs: source,
    rules,
    packageName: context.package?.name ?? DEFAULT_PACKAGE,
    code: siteCode,
    articles: (site) =>
      articlesOf(site, context.templates, validatorCores.has(site.protocol.profile)),
    files: DOWNLOAD_FILES,
  });
  known.set(context, sites);
  return sites;
}
