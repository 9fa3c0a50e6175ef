import { breakingSpan, inline, type Inline } from "../../../output/markup.js";
import { relativeUrl, type Url } from "../../../output/url.js";
import type { Side } from "../../../schema/source/sources.js";
import type { BadgeView } from "../parts/badge-view.js";
import { textOf } from "../parts/block.js";
import type { Article, PageLink, Site } from "../site-types.js";
import { profileBadges } from "./badges.js";
import { isAcp } from "./identity.js";
import { INDEX_PATH } from "./paths.js";

/** The three parts of the site, each with a list of its pages. */
export type Part = keyof typeof PARTS;

export const PARTS = { guide: "Guide", reference: "Reference", tools: "Tools" } as const;

/** A group of pages in the list next to every page. */
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

/** A part of the site in the header. */
export interface PartView {
  readonly title: string;
  readonly url: Url;
  readonly current: boolean;
}

/** The page before or after a page. */
export interface NeighborView {
  readonly title: "Previous" | "Next";
  readonly rel: "prev" | "next";
  readonly label: Inline;
  readonly url: Url;
}

/** The ways to the same page of the other profiles. */
export interface SwitchView {
  readonly label: string;
  readonly status: string;
  readonly tone: BadgeView["tone"] | "";
  readonly profiles: readonly ProfileLink[];
}

interface ProfileLink {
  readonly title: string;
  readonly url: Url;
  readonly current: boolean;
  /** Whether it has the page; the link leads to its overview otherwise. */
  readonly same: boolean;
  readonly badges: readonly BadgeView[];
}

/** The part that the pages of a group are in. */
export const PART_OF: { readonly [group in Article["group"]]: Part } = {
  learn: "guide",
  flows: "guide",
  concepts: "guide",
  reference: "reference",
  tools: "tools",
  hidden: "reference",
};

/** The titles of the methods that a side handles. */
export const METHOD_GROUPS: { readonly [side in Side]: string } = {
  agent: "Agent methods",
  client: "Client methods",
  protocol: "Both sides",
  proxy: "Proxy methods",
};

/**
 * Returns the pages of a part, all but those of types, of which there are too many.
 *
 * @param page the path of the page that shows them, below the whole site
 */
export function navigation(site: Site, page: string, part: Part): readonly NavGroup[] {
  const link = (label: Inline, path: string, added = false): NavLink => ({
    label,
    url: relativeUrl(page, path),
    current: path === page,
    added,
  });
  const own = (path: string): string => `${site.protocol.profile}/${path}`;
  const articles = (group: Article["group"]): readonly NavLink[] =>
    site.articles
      .filter((article) => article.group === group)
      .map(({ title, path }) => link(inline(title), own(path)));
  const above = (group: PageLink["group"]): readonly NavLink[] =>
    site.manual
      .filter((one) => one.group === group)
      .map(({ title, path }) => link(inline(title), path));
  const groups: readonly NavGroup[] = {
    guide: [
      { title: "Start", links: articles("learn") },
      { title: "Concepts", links: articles("concepts") },
      { title: "Flows", links: articles("flows") },
      { title: "Packages", links: above("packages") },
    ],
    reference: [
      {
        title: "Reference",
        links: [link(inline("Overview"), own(INDEX_PATH)), ...articles("reference")],
      },
      ...methodGroups(site).map(({ title, methods }) => ({
        title,
        links: methods.map(({ name, added }) =>
          link(inline(breakingSpan(name)), own(site.methodPaths.get(name)!), added),
        ),
      })),
    ],
    tools: [
      { title: "Check", links: articles("tools") },
      { title: "Manual", links: above("manual") },
    ],
  }[part];
  return groups.filter(({ links }) => links.length > 0);
}

function methodGroups({ protocol }: Site): readonly {
  readonly title: string;
  readonly methods: readonly { readonly name: string; readonly added: boolean }[];
}[] {
  const seen = new Set<string>();
  return (["agent", "client", "protocol", "proxy"] as const).map((side) => ({
    title: METHOD_GROUPS[side],
    methods: protocol.methods.flatMap(({ name, side: own, feature }) => {
      // A name that both sides handle has one page.
      if (own !== side || seen.has(name)) return [];
      seen.add(name);
      return [{ name, added: feature !== undefined }];
    }),
  }));
}

/** Returns the parts that have pages, each with the address of its first page. */
export function partLinks(
  site: Site,
  page: string,
  current: Part | undefined,
): readonly PartView[] {
  return Object.entries(PARTS).flatMap(([part, title]): PartView[] => {
    const first = navigation(site, page, part as Part)[0]?.links[0];
    return first === undefined ? [] : [{ title, url: first.url, current: part === current }];
  });
}

/** Returns the pages before and after the current one of a list. */
export function neighbors(links: readonly NavLink[]): readonly NeighborView[] {
  const index = links.findIndex(({ current }) => current);
  if (index < 0) return [];
  const [before, after] = [links[index - 1], links[index + 1]];
  return [
    ...(before === undefined ? [] : [{ ...before, title: "Previous", rel: "prev" } as const]),
    ...(after === undefined ? [] : [{ ...after, title: "Next", rel: "next" } as const]),
  ];
}

/** Returns the pages about the reference as a whole, and the types of the area of a type. */
export function typeNavigation(site: Site, page: string): readonly NavGroup[] {
  const { profile, definitions, areas } = site.protocol;
  const pathOf = (name: string): string => `${profile}/${site.typePaths.get(name)!}`;
  const own = definitions.find(({ name }) => pathOf(name) === page);
  const links = definitions
    .filter(({ area }) => area === own?.area)
    .map(({ name, feature }) => ({
      label: inline(breakingSpan(name)),
      url: relativeUrl(page, pathOf(name)),
      current: pathOf(name) === page,
      added: feature !== undefined,
    }));
  const title = areas.find(({ name }) => name === own?.area)?.title ?? "Others";
  return [...navigation(site, page, "reference").slice(0, 1), { title: `Types: ${title}`, links }];
}

/**
 * Returns the switch between the profiles; undefined where there is only one.
 *
 * @param page the path of the page, below the whole site
 * @param own its path below the folder of its profile; undefined for a page above the profiles
 */
export function profileSwitch(
  site: Site,
  page: string,
  own: string | undefined,
): SwitchView | undefined {
  if (site.siblings.size < 2) return undefined;
  const label = site.protocol.title.replace(/^ACP /, "");
  const badges = profileBadges(site);
  const words = badges.map(({ label: word }) => textOf(word));
  const shown = words.filter((word) => !label.includes(word));
  return {
    label,
    status: badges.length === 0 && isAcp(site) ? "stable" : shown.join(", "),
    tone: badges[0]?.tone ?? "",
    profiles: [...site.siblings.values()].map((other) => {
      const { protocol, paths } = other;
      const same = own === undefined || paths.has(own);
      const target = own !== undefined && same ? own : INDEX_PATH;
      return {
        title: protocol.title,
        url: relativeUrl(page, `${protocol.profile}/${target}`),
        current: protocol === site.protocol,
        same,
        badges: profileBadges(other),
      };
    }),
  };
}
