import { clip, inline, prose, textLink, type Inline } from "../../../output/markup.js";
import { createNames, relativeUrl, urlToken, type Url } from "../../../output/url.js";
import { valueId } from "../facts/anchor.js";
import { stepId, type Use } from "../facts/references.js";
import { navigation, profileSwitch, type NavGroup, type SwitchView } from "./nav.js";
import { goneParts, type GoneView } from "./moved-anchors.js";
import type { Site } from "../site.js";

/** A finished page, before its templates are filled. */
export interface Page {
  /** Below the profile's folder. */
  readonly path: string;
  /** The templates it is made with: `<template>.html.hbs` and `<template>.md.hbs`. */
  readonly template: "method" | "type" | "index" | "article";
  readonly view: { readonly frame: FrameView };
}

/** What a text needs to lead to types of a profile. */
export interface TypeLinks {
  readonly site: Site;
  readonly toType: (name: string, id?: string) => Url;
}

/** What the parts of one page are written with: addresses as seen from it, ids that stay apart. */
export interface PageScope extends TypeLinks {
  readonly path: string;
  readonly toMethod: (name: string, id?: string) => Url;
  readonly toIndex: (id?: string) => Url;
  /** Any other page or file of the profile, by its path; nothing when the site has none there. */
  readonly toPage: (path: string, id?: string) => Url | undefined;
  /** The prose of a schema, with the names of types and methods as links. */
  readonly prose: (text: string) => readonly Inline[];
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}

export const INDEX_PATH = "index.html";
export const STYLESHEET_PATH = "assets/style.css";
export const SCRIPT_PATH = "assets/site.js";
/** Loaded when somebody searches. */
export const SEARCH_PATH = "assets/search.js";
export const VALIDATOR_PATH = "validator.html";
export const FEATURES_PATH = "features.html";
export const A_Z_PATH = "a-z.html";

/**
 * What the page at a path is written with.
 *
 * @param path below the profile's folder
 * @returns links throw an Error when asked for a type or method that the protocol does not have
 */
export function createScope(site: Site, path: string): PageScope {
  const to = (paths: ReadonlyMap<string, string>, name: string, id?: string): Url => {
    const target = paths.get(name);
    if (target === undefined) throw new Error(`nothing is called ${JSON.stringify(name)}`);
    return relativeUrl(path, target, id);
  };
  const find = (code: string): Url | undefined => {
    const target = site.typePaths.get(code) ?? site.methodPaths.get(code);
    return target === undefined || target === path ? undefined : relativeUrl(path, target);
  };
  return {
    site,
    path,
    toType: (name, id) => to(site.typePaths, name, id),
    toMethod: (name, id) => to(site.methodPaths, name, id),
    toIndex: (id) => relativeUrl(path, INDEX_PATH, id),
    toPage: (target, id) => (site.paths.has(target) ? relativeUrl(path, target, id) : undefined),
    prose: (text) => prose(text, find),
    id: createNames(".", "exact"),
  };
}

/** The address of a part of a definition. */
export function toUse({ owner, steps, value }: Use, scope: TypeLinks): Url {
  if (value !== undefined) return scope.toType(owner, valueId({ prefix: "", steps }, value));
  return scope.toType(owner, steps.length === 0 ? undefined : stepId(steps));
}

/** A place in words: `Type.property.variant.value`. */
export function useWords({ owner, steps, value }: Use): string {
  const names = steps.map(({ name }) => name);
  return [owner, ...names, ...(value === undefined ? [] : [String(value)])].join(".");
}

/** What every page's frame shows. */
export interface FrameView {
  readonly title: string;
  readonly summary: string;
  readonly stylesheet: Url;
  readonly script: Url;
  /** Scripts of this page alone. */
  readonly scripts: readonly Url[];
  readonly search: Url;
  /** The page that checks messages, where there is one. */
  readonly validator: Url | undefined;
  readonly twin: Url;
  /** The page that stands for this one: that of the stable profile, where there is one. */
  readonly canonical: Url | undefined;
  readonly home: Url;
  readonly front: Url | undefined;
  readonly index: Url;
  readonly site: string;
  readonly profile: string;
  readonly version: number;
  readonly release: string;
  readonly digest: string;
  /** What a page of a draft says. */
  readonly draft: Inline | undefined;
  readonly others: readonly SwitchView[];
  readonly nav: readonly NavGroup[];
  /** What stood on the page before. */
  readonly gone: readonly GoneView[];
}

/**
 * The frame of a page. Its title has at most 70 characters and its description
 * 160: more is cut off by browsers and search engines.
 *
 * @param name what the page is about; empty for the overview
 * @param text what its description is made from
 * @param scripts what the page loads beside the script of every page
 */
export function frameView(
  name: string,
  text: string,
  scope: PageScope,
  scripts: readonly string[] = [],
): FrameView {
  const { site, path } = scope;
  const { protocol } = site;
  const title = clip(protocol.title, 40);
  const draft = site.docs.drafts[protocol.version];
  return {
    title:
      name === "" ? clip(protocol.title, 70) : `${clip(name, 67 - [...title].length)} - ${title}`,
    summary: clip(text.replaceAll("`", ""), 160),
    stylesheet: relativeUrl(path, STYLESHEET_PATH),
    script: relativeUrl(path, SCRIPT_PATH),
    scripts: scripts.map((script) => relativeUrl(path, script)),
    search: relativeUrl(path, SEARCH_PATH),
    validator: scope.toPage(VALIDATOR_PATH),
    twin: relativeUrl(path, `${path}.md`),
    canonical: canonical(site, path),
    home: scope.toIndex(),
    front: site.siblings.size > 0 ? siteUrl(site, path, INDEX_PATH) : undefined,
    index: relativeUrl(path, A_Z_PATH),
    site: protocol.title,
    profile: protocol.profile,
    version: protocol.versionNumber,
    release: `${protocol.upstream.package} ${protocol.upstream.release}`,
    digest: site.digest,
    draft: draft === undefined ? undefined : inline(draft),
    others: profileSwitch(site, path),
    nav: navigation(site, path),
    gone: goneParts(scope),
  };
}

/** The address of a file outside the profile's folder, by its path below the whole site. */
export function siteUrl(site: Site, path: string, target: string, id?: string): Url {
  return relativeUrl(`${site.protocol.profile}/${path}`, target, id);
}

/** Where features are on, the page of the profile without them is the one to be found. */
function canonical(site: Site, path: string): Url | undefined {
  const { version, profile } = site.protocol;
  if (profile === version || site.siblings.get(version)?.paths.has(path) !== true) return undefined;
  return siteUrl(site, path, `${version}/${path}`);
}

/** A short fact in a frame of its own. */
export interface BadgeView {
  readonly label: Inline;
  /** A word of ours; the stylesheet knows it. */
  readonly tone:
    "plain" | "kind" | "gate" | "unknown" | "breaking" | "unstable" | "frozen" | "proposed";
}

/** The badge of something that a feature adds; none for the base. */
export function featureBadges(feature: string | undefined, { site, path }: PageScope): BadgeView[] {
  return featureBadgesOf(feature, site, `${site.protocol.profile}/${path}`);
}

/**
 * The badge of something that a feature adds to one profile, on any page.
 *
 * @param path of the page that shows it, below the whole site
 */
export function featureBadgesOf(
  feature: string | undefined,
  site: Site,
  path: string,
): BadgeView[] {
  if (feature === undefined) return [];
  const known = site.features.get(feature);
  if (known === undefined) return [{ label: inline(feature), tone: "unstable" }];
  const link = textLink(known.title, toFeature(feature, site, path));
  return [{ label: inline(link, ` (${known.status})`), tone: known.status }];
}

/** Where a feature is described, as seen from any page. */
export function toFeature(name: string, site: Site, path: string): Url {
  const page = `${site.protocol.profile}/${FEATURES_PATH}`;
  return relativeUrl(path, page, `feature-${urlToken(name)}`);
}
