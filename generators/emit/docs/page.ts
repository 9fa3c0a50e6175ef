import { clip, inline, prose, textLink, type Inline } from "../../output/markup.js";
import { createNames, relativeUrl, urlToken, type Url } from "../../output/url.js";
import { stepId, type Use } from "./references.js";
import type { Site } from "./site.js";

/** A finished page, before its templates are filled. */
export interface Page {
  /** Below the profile's folder. */
  readonly path: string;
  /** The templates it is made with: `<template>.html.hbs` and `<template>.md.hbs`. */
  readonly template: "method" | "type" | "index";
  readonly view: object;
}

/** What the parts of one page are written with: addresses as seen from it, ids that stay apart. */
export interface PageScope {
  readonly site: Site;
  readonly path: string;
  readonly toType: (name: string, id?: string) => Url;
  readonly toMethod: (name: string, id?: string) => Url;
  readonly toIndex: (id?: string) => Url;
  /** The prose of a schema, with the names of types and methods as links. */
  readonly prose: (text: string) => readonly Inline[];
  /** An id that no other part of the page has. */
  readonly id: (wanted: string) => string;
}

export const INDEX_PATH = "index.html";
export const STYLESHEET_PATH = "assets/style.css";

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
    prose: (text) => prose(text, find),
    id: createNames(".", "exact"),
  };
}

/** The address of a part of a definition. */
export function toUse({ owner, steps }: Use, scope: PageScope): Url {
  return scope.toType(owner, steps.length === 0 ? undefined : stepId(steps));
}

/** What every page's frame shows. */
export interface FrameView {
  readonly title: string;
  readonly summary: string;
  readonly stylesheet: Url;
  readonly twin: Url;
  readonly home: Url;
  readonly methods: Url;
  readonly types: Url;
  readonly site: string;
  readonly profile: string;
  readonly version: number;
  readonly release: string;
}

/**
 * The frame of a page. Its title has at most 70 characters and its description
 * 160: more is cut off by browsers and search engines.
 *
 * @param name what the page is about; empty for the overview
 * @param text what its description is made from
 */
export function frameView(name: string, text: string, scope: PageScope): FrameView {
  const { protocol } = scope.site;
  const site = clip(protocol.title, 40);
  const twin = `${scope.path}.md`;
  return {
    title:
      name === "" ? clip(protocol.title, 70) : `${clip(name, 67 - [...site].length)} - ${site}`,
    summary: clip(text.replaceAll("`", ""), 160),
    stylesheet: relativeUrl(scope.path, STYLESHEET_PATH),
    twin: relativeUrl(scope.path, twin),
    home: scope.toIndex(),
    methods: scope.toIndex("methods"),
    types: scope.toIndex("types"),
    site: protocol.title,
    profile: protocol.profile,
    version: protocol.versionNumber,
    release: `${protocol.upstream.package} ${protocol.upstream.release}`,
  };
}

/** A short fact in a frame of its own. */
export interface BadgeView {
  readonly label: Inline;
  /** A word of ours; the stylesheet knows it. */
  readonly tone: "plain" | "kind" | "gate" | "unknown" | "unstable" | "frozen" | "proposed";
}

/** The badge of something that a feature adds; none for the base. */
export function featureBadges(feature: string | undefined, scope: PageScope): BadgeView[] {
  if (feature === undefined) return [];
  const known = scope.site.features.get(feature);
  if (known === undefined) return [{ label: inline(feature), tone: "unstable" }];
  const url = scope.toIndex(`feature-${urlToken(feature)}`);
  return [{ label: inline(textLink(known.title, url), ` (${known.status})`), tone: known.status }];
}
