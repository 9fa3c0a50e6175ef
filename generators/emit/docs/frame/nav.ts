import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { relativeUrl, type Url } from "../../../output/url.js";
import { profileBadges } from "./badges.js";
import type { Article, Site } from "../site-types.js";
import type { BadgeView } from "../parts/badge-view.js";

/** A part of the navigation of every page. */
export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

export interface NavLink {
  readonly label: Inline;
  readonly url: Url;
  readonly current: boolean;
  /** Whether a feature adds it. */
  readonly added: boolean;
}

/** The way to the same page of another profile. */
export interface SwitchView {
  readonly title: string;
  readonly url: Url;
  /** Whether it has the page; the link leads to its overview otherwise. */
  readonly same: boolean;
  readonly badges: readonly BadgeView[];
}

const GROUPS: { readonly [group in Exclude<Article["group"], "hidden">]: string } = {
  learn: "Learn",
  concepts: "Concepts",
  reference: "Reference",
  tools: "Tools",
};

/** Everything but types, which are too many: they are found by search, by A to Z and by links. */
export function navigation(site: Site, path: string): readonly NavGroup[] {
  const link = (label: Inline, target: string, added = false): NavLink => ({
    label,
    url: relativeUrl(path, target),
    current: target === path,
    added,
  });
  const overview = link(inline("Overview"), "index.html");
  const articles = Object.entries(GROUPS).map(([group, title]): NavGroup => {
    const links = site.articles
      .filter((article) => article.group === group)
      .map((article) => link(inline(article.title), article.path));
    return { title, links: group === "learn" ? [overview, ...links] : links };
  });
  return [...articles, ...methodGroups(site, link)].filter(({ links }) => links.length > 0);
}

function methodGroups(
  { protocol, methodPaths }: Site,
  link: (label: Inline, target: string, added: boolean) => NavLink,
): readonly NavGroup[] {
  return protocol.areas.map(({ name: area, title }) => {
    const methods = protocol.methods.filter((method) => method.area === area);
    const names = [...new Set(methods.map(({ name }) => name))];
    const links = names.map((name) => {
      const added = methods.find((method) => method.name === name)!.feature !== undefined;
      return link(inline(codeSpan(name)), methodPaths.get(name)!, added);
    });
    return { title, links };
  });
}

/** Every other profile that is built together with this one. */
export function profileSwitch(site: Site, path: string): readonly SwitchView[] {
  return [...site.siblings.values()]
    .filter(({ protocol }) => protocol.profile !== site.protocol.profile)
    .map((other) => {
      const { protocol, paths } = other;
      const same = paths.has(path);
      const target = `${protocol.profile}/${same ? path : "index.html"}`;
      return {
        title: protocol.title,
        url: relativeUrl(`${site.protocol.profile}/${path}`, target),
        same,
        badges: profileBadges(other),
      };
    });
}
