import type { Bridge } from "../../../model/bridge/build-bridge.js";
import { inline, textLink } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import { templateText } from "../../emitter.js";
import type { DocsInputs } from "../docs-inputs.js";
import { cards } from "../blocks/block.js";
import { rootFrameView, type Page } from "../layout/frame.js";
import { isAcp, officialText, siteTitle } from "../layout/identity.js";
import { articleView } from "../pages/article-page.js";
import { searchScript } from "../downloads/search-index.js";
import type { Renderer } from "../render.js";
import { frontPage } from "./front-page.js";
import { lossPages } from "./loss-page.js";
import { manualPages } from "./manual-pages.js";
import type { Guide } from "../articles/guides/read-guides.js";
import type { RootPage } from "../root-page.js";
import { SEARCH_PATH } from "../paths.js";
import type { Site } from "../model/site.js";

const ADDRESSES = "addresses.txt";

/** Hosts serve this page for addresses that do not exist. */
const NOT_FOUND_PATH = "404.html";
const NOT_FOUND_SCRIPT_PATH = "acp-not-found.js";

/**
 * The addresses of its script, relative to that of a page at most so many folders below the site.
 * Relative ones never lead to another host, whatever the address of the page is.
 */
const NOT_FOUND_SCRIPTS = Array.from(
  { length: 12 },
  (_, depth) => `${"../".repeat(depth)}${NOT_FOUND_SCRIPT_PATH}`,
);

/**
 * The pages above the profiles: the front page first, the manual, and that of losses.
 *
 * @param sites in the order of the profiles
 * @param front the page of the user that begins the front page
 * @param guides those of all profiles
 * @param bridges the pairs of profiles that the mapping between the versions connects
 */
export function rootPages(
  sites: readonly Site[],
  front: Guide | undefined,
  guides: readonly Guide[],
  bridges: readonly Bridge[],
  { siteTexts: { templates }, site, bridge }: DocsInputs,
): readonly RootPage[] {
  const losses = site.manual ? lossPages(bridge, bridges, sites) : [];
  const manual = site.manual ? manualPages(templates, sites[0]!) : [];
  return [frontPage(sites, manual, guides, front), ...manual, ...losses];
}

/**
 * The files above the profiles: the pages, the page for addresses that do
 * not exist, and the index for language models.
 *
 * @param sites in the order of the profiles
 * @param pages those of `rootPages`
 * @param written the paths of all files of the profiles
 */
export function rootFiles(
  sites: readonly Site[],
  pages: readonly RootPage[],
  written: readonly string[],
  render: Renderer,
  { siteTexts: { templates }, searchCore, site }: DocsInputs,
): readonly (readonly [path: string, text: string])[] {
  const print = (page: RootPage): readonly (readonly [string, string])[] => {
    const view = rootPage(page, sites);
    return [[page.path, render.html(view)] as const, [`${page.path}.md`, render.markdown(view)]];
  };
  const [, ...others] = pages;
  const files: (readonly [string, string])[] = [
    [NOT_FOUND_SCRIPT_PATH, templateText("site/assets/not-found.js", templates)],
    [SEARCH_PATH, searchScript(sites, others, searchCore)],
    ...[...pages, notFoundPage(sites)].flatMap(print),
    ["llms.txt", rootIndex(sites, others)],
  ];
  const addresses = (): readonly string[] => [
    ...written.map((path) => path.slice("site/".length)),
    ...files.map(([path]) => path),
  ];
  const listed = addresses().filter((path) => path.endsWith(".html") && path !== NOT_FOUND_PATH);
  if (site.url !== undefined)
    files.push(
      ["sitemap.xml", sitemap(listed, site.url)],
      ["robots.txt", `User-agent: *\nAllow: /\nSitemap: ${site.url}/sitemap.xml\n`],
    );
  return [...files, [ADDRESSES, `${[...addresses(), ADDRESSES].sort().join("\n")}\n`]];
}

function rootPage(page: RootPage, sites: readonly Site[]): Page {
  const { path, title, lead, blocks, hero } = page;
  const isNotFound = path === NOT_FOUND_PATH;
  const frame = rootFrameView(page, sites[0]!, isNotFound ? NOT_FOUND_SCRIPTS : []);
  return {
    path,
    template: hero !== undefined ? "front" : isNotFound ? "404" : "article",
    view: { ...articleView(inline(title), inline(lead), blocks), ...hero, frame },
  };
}

function notFoundPage(sites: readonly Site[]): RootPage {
  const path = NOT_FOUND_PATH;
  return {
    path,
    title: "Page not found",
    lead: "No page has this address. The overview of a profile lists every method, type and page by name:",
    blocks: cards(
      sites.map(({ protocol }) => ({
        link: inline(textLink(protocol.title, relativeUrl(path, `${protocol.profile}/index.html`))),
        summary: inline(protocol.description),
      })),
    ),
  };
}

function rootIndex(sites: readonly Site[], manual: readonly RootPage[]): string {
  const lines = sites.map(({ protocol: { title, profile, description } }) => {
    return `- [${title}](${profile}/llms.txt): ${description}`;
  });
  const links = manual.map(({ title, path, lead }) => `- [${title}](${path}.md): ${lead}\n`);
  const [first] = sites as readonly [Site];
  const note = officialText(first);
  const official = note === "" ? "" : `${note}\n`;
  const about = isAcp(first)
    ? "JSON-RPC 2.0 between an editor (the client) and a coding agent, in both directions."
    : first.protocol.description;
  return `# ${siteTitle(first)}\n\n> ${about}\n\n${official}## Profiles\n\n${lines.join("\n")}\n\n## Pages\n\n- [Front page](index.html.md)\n${links.join("")}`;
}

/** The list of pages for search engines; addresses of pages need no escapes. */
function sitemap(pages: readonly string[], siteUrl: string): string {
  const entries = [...pages].sort().map((path) => `<url><loc>${siteUrl}/${path}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join("")}</urlset>\n`;
}
