import { clip } from "../../../output/text.js";
import { externalUrl, relativeUrl, userUrl, type Url } from "../../../output/url.js";
import type { PageLink, PageScope, Site } from "../model/site.js";
import { movedAnchors } from "./moved-anchors.js";
import {
  navigation,
  neighbors,
  PART_OF,
  PARTS,
  partLinks,
  profileSwitch,
  typeNavigation,
  type NavGroup,
  type SitePart,
} from "./nav.js";
import {
  ICON_PATH,
  INDEX_PATH,
  MIGRATION_PATH,
  SCRIPT_PATH,
  SEARCH_PATH,
  STYLESHEET_PATH,
  VALIDATOR_PATH,
} from "../paths.js";
import { isAcp, isImported, officialNote, siteTitle, withSiteTitle } from "./identity.js";

/** A finished page, before its templates are filled. */
export interface Page {
  /** Below the profile's folder. */
  readonly path: string;
  /** The templates it is made with: `<template>.html.hbs` and `<template>.md.hbs`. */
  readonly template: "article" | "front" | "404";
  readonly view: { readonly frame: FrameView };
}

/** What is around every page; undefined values are of links that a page does not have. */
export type FrameView = ReturnType<typeof frame>;

/**
 * The frame of a page. Its title has at most 70 characters and its description
 * 155: more is cut off by browsers and search engines.
 *
 * @param name the subject of the page; empty for the overview
 * @param text the source of its description
 * @param scripts loaded in addition to the script of every page
 */
export function frameView(
  name: string,
  text: string,
  scope: PageScope,
  scripts: readonly string[] = [],
): FrameView {
  const { site, path } = scope;
  const page = `${site.protocol.profile}/${path}`;
  const whole = withSiteTitle(site.protocol.title, site.settings);
  const title = clip(whole, 40);
  const group = site.articles.find((article) => article.path === path)?.group;
  const part = group === undefined ? "reference" : PART_OF[group];
  const isType = path.startsWith("types/");
  const nav = isType ? typeNavigation(site, page) : navigation(site, page, part);
  return frame(site, page, {
    ...{ scope, part, nav },
    title: name === "" ? clip(whole, 70) : `${clip(name, 67 - [...title].length)} - ${title}`,
    summary: text.replaceAll("`", ""),
    scripts: scripts.map((script) => relativeUrl(path, script)),
  });
}

/**
 * The frame of a page above the profiles.
 *
 * @param path below the whole site
 * @param first the profile whose pages it leads to
 */
export function rootFrameView(
  { path, title, lead }: Pick<PageLink, "path" | "title"> & { readonly lead: string },
  first: Site,
  scripts: readonly string[] = [],
): FrameView {
  const above = first.manual.find((one) => one.path === path);
  const part = above && (above.group === "packages" ? "guide" : "tools");
  const nav = part === undefined ? [] : navigation(first, path, part);
  const whole = withSiteTitle(title, first.settings);
  return frame(first, path, { part, nav, title: whole, summary: lead, scripts });
}

/** What distinguishes the frames of pages. */
interface Framed {
  /** Absent for a page above the profiles. */
  readonly scope?: PageScope;
  readonly part: SitePart | undefined;
  readonly nav: readonly NavGroup[];
  readonly title: string;
  readonly summary: string;
  readonly scripts: readonly (Url | string)[];
}

/** @param page below the whole site */
function frame(site: Site, page: string, { scope, part, nav, title, summary, scripts }: Framed) {
  const { protocol, paths, settings } = site;
  const own = scope?.path;
  const to = (path: string): Url => relativeUrl(page, `${protocol.profile}/${path}`);
  return {
    ...{ title, nav, scripts, ...addresses(site, page, own) },
    summary: clip(summary, 155),
    siteName: siteTitle(site),
    brand: {
      title: settings.title ?? (isAcp(site) ? "ACP" : protocol.title),
      hasLogo: settings.logo !== undefined,
      // Our mark is for our own site.
      hasMark: settings.logo === undefined && settings.title === undefined && isAcp(site),
      home: settings.home === undefined ? undefined : userUrl(page, settings.home),
      front: relativeUrl(page, INDEX_PATH),
    },
    layout: part === undefined ? "front" : "",
    parts: partLinks(site, page, part),
    switch: profileSwitch(site, page, own),
    languages:
      site.code.length < 2
        ? []
        : site.code.map(({ language: name }) => ({ name, short: shortName(name) })),
    crumbs: part === undefined ? [] : crumbsOf(part, nav, scope),
    neighbors: neighbors(nav.flatMap(({ links }) => links)),
    stylesheet: to(STYLESHEET_PATH),
    script: to(SCRIPT_PATH),
    icon: to(ICON_PATH),
    home: to(INDEX_PATH),
    search: relativeUrl(page, SEARCH_PATH),
    validator: paths.has(VALIDATOR_PATH) ? to(VALIDATOR_PATH) : undefined,
    twin: relativeUrl(page, `${page}.md`),
    profile: scope === undefined ? "" : protocol.profile,
    draft: scope && site.docs.drafts[protocol.version],
    migration: own === MIGRATION_PATH ? undefined : scope?.toPage(MIGRATION_PATH),
    movedAnchors: scope === undefined ? [] : movedAnchors(scope),
    report: settings.report && userUrl(page, settings.report.replaceAll("{page}", page)),
    official: officialNote(site),
    image: settings.image && externalUrl(settings.image),
    links: settings.links.map(({ title: name, url }) => ({ name, url: userUrl(page, url) })),
    site: protocol.title,
    version: protocol.versionNumber,
    release: releaseText(protocol),
    // The guide that cites the meaning of the words in capitals.
    requirementWords: paths.has("naming.html")
      ? relativeUrl(page, `${protocol.profile}/naming.html`, "requirement-words")
      : undefined,
  };
}

/** Returns the capitals of a name, or its first two letters: `TS`, `Py`. */
function shortName(name: string): string {
  const capitals = name.replace(/[^A-Z]/g, "");
  return capitals.length > 1 ? capitals : name.slice(0, 2);
}

/** The way to a page: the part that it is in, and the group, which has no page of its own. */
function crumbsOf(
  part: SitePart,
  nav: readonly NavGroup[],
  scope: PageScope | undefined,
): readonly { readonly title: string; readonly url: Url | undefined }[] {
  const first = { title: PARTS[part], url: nav[0]?.links[0]?.url };
  if (scope?.path.startsWith("types/"))
    return [first, { title: "Types", url: scope.toIndex("types") }];
  const group = nav.find(({ links }) => links.some(({ current }) => current));
  const isNamed = group !== undefined && group.title !== PARTS[part];
  return [first, ...(isNamed ? [{ title: group.title, url: undefined }] : [])];
}

/**
 * Search engines are to find the page of the profile without features, by the address of the site
 * where that is known.
 */
function addresses(
  { protocol: { profile, version }, siblings, settings: { url } }: Site,
  page: string,
  own: string | undefined,
): { readonly canonical: Url | undefined; readonly address: Url | undefined } {
  const isStable = own === undefined || siblings.get(version)?.paths.has(own) !== true;
  const target = isStable ? page : `${version}/${own}`;
  if (url !== undefined)
    return {
      canonical: externalUrl(`${url}/${target}`),
      address: externalUrl(`${url}/${page}`),
    };
  const canonical = target === page || profile === version ? undefined : relativeUrl(page, target);
  return { canonical, address: undefined };
}

/** The release that a profile follows, and those of its features that are not part of it. */
function releaseText({ upstream, features }: Site["protocol"]): string {
  if (isImported(upstream)) return `imported from ${upstream.crate}`;
  const release = `following ${upstream.crate} ${upstream.release}`;
  const others = features.filter(({ status }) => status !== "unstable").map(({ title }) => title);
  return others.length === 0 ? release : `${release} apart from: ${others.join(", ")}`;
}
