import { inline, type Inline } from "../../../output/markup.js";
import { clip } from "../../../output/text.js";
import { externalUrl, relativeUrl, userUrl, type Url } from "../../../output/url.js";
import type { PageScope, Site } from "../site-types.js";
import { movedAnchors, type MovedAnchor } from "./moved-anchors.js";
import {
  navigation,
  neighbors,
  PART_OF,
  PARTS,
  partLinks,
  profileSwitch,
  typeNavigation,
  type NavGroup,
  type NeighborView,
  type Part,
  type PartView,
  type SwitchView,
} from "./nav.js";
import {
  ICON_PATH,
  INDEX_PATH,
  MIGRATION_PATH,
  SCRIPT_PATH,
  SEARCH_PATH,
  STYLESHEET_PATH,
  VALIDATOR_PATH,
} from "./paths.js";
import {
  isAcp,
  isImported,
  officialNote,
  reportLink,
  siteTitle,
  withSiteTitle,
} from "./identity.js";

/** A finished page, before its templates are filled. */
export interface Page {
  /** Below the profile's folder. */
  readonly path: string;
  /** The templates it is made with: `<template>.html.hbs` and `<template>.md.hbs`. */
  readonly template: "article" | "front" | "404";
  readonly view: { readonly frame: FrameView };
}

/** A step of the way to a page; a group has no page of its own. */
export interface CrumbView {
  readonly title: string;
  readonly url: Url | undefined;
}

/** The view of the frame around every page. */
export interface FrameView {
  readonly title: string;
  readonly summary: string;
  readonly stylesheet: Url;
  readonly script: Url;
  readonly icon: Url;
  /** How the page is laid out; empty for one with columns. */
  readonly layout: "" | "front";
  /** The parts of the site. */
  readonly parts: readonly PartView[];
  readonly switch: SwitchView | undefined;
  /** The languages of the code; empty when there is only one. */
  readonly languages: readonly LanguageView[];
  /** The pages of the part that the page is in. */
  readonly nav: readonly NavGroup[];
  /** The way to the page. */
  readonly crumbs: readonly CrumbView[];
  readonly neighbors: readonly NeighborView[];
  /** Scripts of this page alone. */
  readonly scripts: readonly (Url | string)[];
  readonly search: Url;
  /** The page that checks messages; undefined in a site without a validator. */
  readonly validator: Url | undefined;
  readonly twin: Url;
  /** The same page of the stable profile, or with the address of the site the page itself; undefined without either. */
  readonly canonical: Url | undefined;
  /** The page by the address of the site; undefined where that is not known. */
  readonly address: Url | undefined;
  readonly home: Url;
  readonly brand: BrandView;
  /** The title of the whole site. */
  readonly siteName: string;
  /** Where mistakes are reported. */
  readonly report: Url | undefined;
  readonly official: Inline | undefined;
  readonly site: string;
  /** Empty for a page above the profiles. */
  readonly profile: string;
  readonly version: number;
  readonly release: string;
  /** The notice on pages of a draft. */
  readonly draft: Inline | undefined;
  /** The guide for those who come from the version before; undefined without one. */
  readonly migration: Url | undefined;
  /** The meaning of the words in capitals; undefined without the guide that cites it. */
  readonly requirementWords: Url | undefined;
  /** Former parts of the page. */
  readonly movedAnchors: readonly MovedAnchor[];
}

/** A language of the code, and its short name for the header. */
interface LanguageView {
  readonly name: string;
  readonly short: string;
}

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
  const { protocol } = site;
  const page = `${protocol.profile}/${path}`;
  const whole = withSiteTitle(protocol.title, site.settings);
  const title = clip(whole, 40);
  const group = site.articles.find((article) => article.path === path)?.group;
  const part = group === undefined ? "reference" : PART_OF[group];
  const isType = path.startsWith("types/");
  const nav = isType ? typeNavigation(site, page) : navigation(site, page, part);
  const draft = site.docs.drafts[protocol.version];
  const crumbs = [crumb(part, nav), { title: "Types", url: scope.toIndex("types") }];
  return {
    ...frame(site, page, {
      own: path,
      part,
      nav,
      title: name === "" ? clip(whole, 70) : `${clip(name, 67 - [...title].length)} - ${title}`,
      summary: text.replaceAll("`", ""),
      scripts: scripts.map((script) => relativeUrl(path, script)),
      ...(isType && { crumbs }),
    }),
    profile: protocol.profile,
    draft: draft === undefined ? undefined : inline(draft),
    migration: path === MIGRATION_PATH ? undefined : scope.toPage(MIGRATION_PATH),
    movedAnchors: movedAnchors(scope),
  };
}

/**
 * The frame of a page above the profiles.
 *
 * @param path below the whole site
 * @param first the profile whose pages it leads to
 */
export function rootFrameView(
  { path, title, lead }: { readonly path: string; readonly title: string; readonly lead: string },
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
  /** Below the folder of the profile; absent for a page above the profiles. */
  readonly own?: string;
  readonly part: Part | undefined;
  readonly nav: readonly NavGroup[];
  readonly title: string;
  readonly summary: string;
  readonly scripts: FrameView["scripts"];
  readonly crumbs?: readonly CrumbView[];
}

/** @param page below the whole site */
function frame(
  site: Site,
  page: string,
  { own, part, nav, title, summary, scripts, crumbs }: Framed,
): FrameView {
  const { protocol, paths } = site;
  const to = (path: string, id?: string): Url =>
    relativeUrl(page, `${protocol.profile}/${path}`, id);
  const toOwn = (path: string, id?: string): Url | undefined =>
    paths.has(path) ? to(path, id) : undefined;
  const languages = ["TypeScript", ...site.code.map(({ language }) => language)];
  return {
    title,
    summary: clip(summary, 155),
    nav,
    crumbs: crumbs ?? (part === undefined ? [] : crumbsOf(part, nav)),
    neighbors: neighbors(nav.flatMap(({ links }) => links)),
    scripts,
    ...addresses(site, page, own),
    profile: "",
    draft: undefined,
    migration: undefined,
    movedAnchors: [],
    stylesheet: to(STYLESHEET_PATH),
    script: to(SCRIPT_PATH),
    icon: to(ICON_PATH),
    layout: part === undefined ? "front" : "",
    parts: partLinks(site, page, part),
    switch: profileSwitch(site, page, own),
    languages:
      languages.length === 1 ? [] : languages.map((name) => ({ name, short: shortName(name) })),
    search: relativeUrl(page, SEARCH_PATH),
    validator: toOwn(VALIDATOR_PATH),
    twin: relativeUrl(page, `${page}.md`),
    home: to(INDEX_PATH),
    brand: brandView(page, site),
    siteName: siteTitle(site),
    report: reportLink(page, site.settings),
    official: officialNote(site),
    site: protocol.title,
    version: protocol.versionNumber,
    release: releaseText(protocol),
    requirementWords: toOwn("naming.html", "requirement-words"),
  };
}

/** Returns the capitals of a name, or its first two letters: `TS`, `Py`. */
function shortName(name: string): string {
  const capitals = name.replace(/[^A-Z]/g, "");
  return capitals.length > 1 ? capitals : name.slice(0, 2);
}

/** The title in the header. */
export interface BrandView {
  readonly title: string;
  readonly hasLogo: boolean;
  /** Whether our mark stands before the title: on our own site. */
  readonly hasMark: boolean;
  /** The user's link; undefined for the front page. */
  readonly home: Url | undefined;
  readonly front: Url;
}

/** @param page below the whole site */
function brandView(page: string, site: Site): BrandView {
  const { title, logo, home } = site.settings;
  return {
    title: title ?? (isAcp(site) ? "ACP" : site.protocol.title),
    hasLogo: logo !== undefined,
    hasMark: logo === undefined && title === undefined && isAcp(site),
    home: home === undefined ? undefined : userUrl(page, home),
    front: relativeUrl(page, INDEX_PATH),
  };
}

/** The part and the group that a page is in. */
function crumbsOf(part: Part, nav: readonly NavGroup[]): readonly CrumbView[] {
  const group = nav.find(({ links }) => links.some(({ current }) => current));
  const isNamed = group !== undefined && group.title !== PARTS[part];
  return [crumb(part, nav), ...(isNamed ? [{ title: group.title, url: undefined }] : [])];
}

function crumb(part: Part, nav: readonly NavGroup[]): CrumbView {
  return { title: PARTS[part], url: nav[0]?.links[0]?.url };
}

/** Search engines are to find the page of the profile without features, by the address of the site where that is known. */
function addresses(
  { protocol: { profile, version }, siblings, settings: { url } }: Site,
  page: string,
  own: string | undefined,
): Pick<FrameView, "canonical" | "address"> {
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
  if (isImported(upstream)) return `imported from ${upstream.package}`;
  const release = `following ${upstream.package} ${upstream.release}`;
  const others = features.filter(({ status }) => status !== "unstable").map(({ title }) => title);
  return others.length === 0 ? release : `${release} apart from: ${others.join(", ")}`;
}
