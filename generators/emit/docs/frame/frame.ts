import { inline, type Inline } from "../../../output/markup.js";
import { clip } from "../../../output/text.js";
import { relativeUrl, userUrl, type Url } from "../../../output/url.js";
import type { PageScope, Site } from "../site-types.js";
import { movedAnchors, type MovedAnchor } from "./moved-anchors.js";
import { navigation, profileSwitch, type NavGroup, type SwitchView } from "./nav.js";
import {
  INDEX_PATH,
  MIGRATION_PATH,
  ICON_PATH,
  SCRIPT_PATH,
  SEARCH_PATH,
  STYLESHEET_PATH,
  THEME_PATH,
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
import { siteUrl } from "./scope.js";

/** A finished page, before its templates are filled. */
export interface Page {
  /** Below the profile's folder. */
  readonly path: string;
  /** The templates it is made with: `<template>.html.hbs` and `<template>.md.hbs`. */
  readonly template: "method" | "type" | "index" | "article";
  readonly view: { readonly frame: FrameView };
}

/** A step of the way to a page; the page itself has no address. */
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
  readonly theme: Url;
  readonly icon: Url;
  /** The page below the profile's folder. */
  readonly path: string;
  /** The way from the overview to the page; empty for the overview. */
  readonly crumbs: readonly CrumbView[];
  /** Scripts of this page alone. */
  readonly scripts: readonly Url[];
  readonly search: Url;
  /** The page that checks messages; undefined in a site without a validator. */
  readonly validator: Url | undefined;
  readonly twin: Url;
  /** The same page of the stable profile; undefined without one. */
  readonly canonical: Url | undefined;
  readonly home: Url;
  readonly front: Url | undefined;
  readonly brand: BrandView;
  /** The title of the whole site. */
  readonly siteName: string;
  /** Where mistakes are reported. */
  readonly report: Url | undefined;
  readonly official: Inline | undefined;
  readonly index: Url;
  readonly site: string;
  /** The link to the overview, where there is no other profile. */
  readonly overview: string;
  readonly profile: string;
  readonly version: number;
  readonly release: string;
  readonly digest: string;
  /** The notice on pages of a draft. */
  readonly draft: Inline | undefined;
  /** The guide for those who come from the version before; undefined without one. */
  readonly migration: Url | undefined;
  /** The meaning of the words in capitals; undefined without the guide that cites it. */
  readonly requirementWords: Url | undefined;
  readonly others: readonly SwitchView[];
  readonly nav: readonly NavGroup[];
  /** Former parts of the page. */
  readonly movedAnchors: readonly MovedAnchor[];
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
  const whole = withSiteTitle(protocol.title, site.settings);
  const title = clip(whole, 40);
  const front = site.siblings.size > 0 ? siteUrl(site, path, INDEX_PATH) : undefined;
  const ownPath = `${protocol.profile}/${path}`;
  const draft = site.docs.drafts[protocol.version];
  return {
    title: name === "" ? clip(whole, 70) : `${clip(name, 67 - [...title].length)} - ${title}`,
    summary: clip(text.replaceAll("`", ""), 155),
    stylesheet: relativeUrl(path, STYLESHEET_PATH),
    script: relativeUrl(path, SCRIPT_PATH),
    theme: relativeUrl(path, THEME_PATH),
    icon: relativeUrl(path, ICON_PATH),
    path,
    crumbs: crumbs(name, scope),
    scripts: scripts.map((script) => relativeUrl(path, script)),
    search: siteUrl(site, path, SEARCH_PATH),
    validator: scope.toPage(VALIDATOR_PATH),
    twin: relativeUrl(path, `${path}.md`),
    canonical: canonical(site, path),
    home: scope.toIndex(),
    front,
    brand: brandView(ownPath, front ?? scope.toIndex(), site),
    siteName: siteTitle(site),
    report: reportLink(ownPath, site.settings),
    official: officialNote(site),
    index: scope.toIndex("types"),
    site: protocol.title,
    overview: protocol.title === siteTitle(site) ? "Methods and types" : protocol.title,
    profile: protocol.profile,
    version: protocol.versionNumber,
    release: releaseText(protocol),
    digest: site.digest,
    draft: draft === undefined ? undefined : inline(draft),
    migration: path === MIGRATION_PATH ? undefined : scope.toPage(MIGRATION_PATH),
    requirementWords: scope.toPage("naming.html", "requirement-words"),
    others: profileSwitch(site, path),
    nav: navigation(site, path),
    movedAnchors: movedAnchors(scope),
  };
}

/** The title in the header. */
export interface BrandView {
  readonly title: string;
  readonly hasLogo: boolean;
  /** The user's link; undefined for the front page. */
  readonly home: Url | undefined;
  readonly front: Url;
}

/**
 * Returns the title in the header of a page.
 *
 * @param page the path of the page, below the whole site
 * @param front the address of the front page
 */
export function brandView(page: string, front: Url, site: Site): BrandView {
  const { title, logo, home } = site.settings;
  return {
    title: title ?? (isAcp(site) ? "ACP" : site.protocol.title),
    hasLogo: logo !== undefined,
    home: home === undefined ? undefined : userUrl(page, home),
    front,
  };
}

/** The groups that a page is in, and the page. */
function crumbs(name: string, { site, path, toIndex }: PageScope): readonly CrumbView[] {
  if (path === INDEX_PATH) return [];
  const group = path.startsWith("types/")
    ? { title: "Types", url: toIndex("types") }
    : path.startsWith("methods/")
      ? { title: "Methods", url: toIndex() }
      : undefined;
  return [
    { title: site.protocol.title, url: toIndex() },
    ...(group === undefined ? [] : [group]),
    { title: name, url: undefined },
  ];
}

/** Search engines are to find the page of the profile without features. */
function canonical(site: Site, path: string): Url | undefined {
  const { version, profile } = site.protocol;
  if (profile === version || site.siblings.get(version)?.paths.has(path) !== true) return undefined;
  return siteUrl(site, path, `${version}/${path}`);
}

/** The release that a profile follows, and those of its features that are not part of it. */
function releaseText({ upstream, features }: Site["protocol"]): string {
  if (isImported(upstream)) return `imported from ${upstream.package}`;
  const release = `following ${upstream.package} ${upstream.release}`;
  const others = features.filter(({ status }) => status !== "unstable").map(({ title }) => title);
  return others.length === 0 ? release : `${release} apart from: ${others.join(", ")}`;
}
