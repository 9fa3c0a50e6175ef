import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { relativeUrl, type Url } from "../../../output/url.js";
import type { MethodSide } from "../../../schema/source/sources.js";
import { inlineText } from "../blocks/block.js";
import type { Article, PageLink, Site } from "../model/site.js";
import { profileBadges } from "../components/badges.js";
import { isAcp } from "./identity.js";
import { INDEX_PATH } from "../paths.js";

/** The three parts of the site, each with a list of its pages. */
export type SitePart = keyof typeof PARTS;

export const PARTS = { guide: "Guide", reference: "Reference", tools: "Tools" } as const;

/** A group of pages in the list next to every page. */
export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
  /** Whether it is closed on pages of other groups. */
  readonly isFolded?: boolean;
  /** Who reads it, where only one side does: a script folds what the other side reads. */
  readonly reader?: "agent" | "editor";
}

/** The guides of the group `learn` that only authors of one side read. */
const READERS: { readonly [path: string]: NavGroup["reader"] } = {
  "adapter.html": "agent",
  "editor.html": "editor",
};

/** The pages above the profiles that do the same for one side. */
const READERS_ABOVE: { readonly [path: string]: NavGroup["reader"] } = {
  "tool/agent.html": "agent",
  "tool/ship.html": "agent",
  "tool/editor.html": "editor",
};

export interface NavLink {
  readonly label: Inline;
  readonly url: Url;
  readonly current: boolean;
  /** Whether a feature adds it. */
  readonly added: boolean;
}

/** The part that the pages of a group are in. */
export const PART_OF: { readonly [group in Article["group"]]: SitePart } = {
  learn: "guide",
  flows: "guide",
  concepts: "guide",
  reference: "reference",
  tools: "tools",
  hidden: "reference",
};

/** The sides that handle methods, in the order of the pages. */
export const SIDES = ["agent", "client", "protocol", "proxy"] as const;

/** The titles of the methods that a side handles. */
export const METHOD_GROUPS: { readonly [side in MethodSide]: string } = {
  agent: "Agent methods",
  client: "Client methods",
  protocol: "Both sides",
  proxy: "Proxy methods",
};

function linkTo(page: string, { label, path, added }: NavPage): NavLink {
  return { label, url: relativeUrl(page, path), current: path === page, added };
}

/** A page in a list, by its path below the whole site. */
interface NavPage extends Pick<NavLink, "label" | "added"> {
  readonly path: string;
}

interface PageGroup extends Pick<NavGroup, "title" | "reader"> {
  readonly pages: readonly NavPage[];
  readonly isFolded?: boolean;
}

/** The lists of each site, which all of its pages show. */
const listed = new WeakMap<Site, { readonly [part in SitePart]: readonly PageGroup[] }>();

/**
 * Returns the pages of a part, all but those of types, of which there are too many.
 *
 * @param page the path of the page that shows them, below the whole site
 */
export function navigation(site: Site, page: string, part: SitePart): readonly NavGroup[] {
  return groupsOf(site)[part].map(({ pages, isFolded = false, ...group }) => {
    const links = pages.map((one) => linkTo(page, one));
    return { ...group, links, isFolded: isFolded && !links.some(({ current }) => current) };
  });
}

function groupsOf(site: Site): { readonly [part in SitePart]: readonly PageGroup[] } {
  const known = listed.get(site) ?? listPages(site);
  listed.set(site, known);
  return known;
}

function listPages(site: Site): { readonly [part in SitePart]: readonly PageGroup[] } {
  const { profile, methods } = site.protocol;
  const own = (label: Inline, path: string, added = false): NavPage => {
    return { label, path: `${profile}/${path}`, added };
  };
  const articles = (group: Article["group"], reader?: NavGroup["reader"]): readonly NavPage[] =>
    site.articles
      .filter((article) => article.group === group && READERS[article.path] === reader)
      .map(({ title, path }) => own(inline(title), path));
  const above = (group: PageLink["group"], reader?: NavGroup["reader"]): readonly NavPage[] =>
    site.manual
      .filter((one) => one.group === group && READERS_ABOVE[one.path] === reader)
      .map(({ title, path }) => ({ label: inline(title), path, added: false }));
  // A name that both sides handle has one page.
  const bySide = SIDES.flatMap((side) => methods.filter((method) => method.side === side));
  const named = new Map(bySide.reverse().map((method) => [method.name, method]));
  const withPages = (groups: readonly PageGroup[]): readonly PageGroup[] =>
    groups.filter(({ pages }) => pages.length > 0);
  return {
    guide: withPages([
      { title: "Start", pages: articles("learn") },
      ...(["agent", "editor"] as const).map((reader) => ({
        title: `Write an ${reader}`,
        pages: [...articles("learn", reader), ...above("packages", reader)],
        reader,
      })),
      { title: "Concepts", pages: articles("concepts") },
      { title: "Flows", pages: articles("flows"), isFolded: true },
      { title: "Packages", pages: above("packages"), isFolded: true },
    ]),
    reference: withPages([
      {
        title: "Reference",
        pages: [own(inline("Overview"), INDEX_PATH), ...articles("reference")],
      },
      ...SIDES.map((side) => ({
        title: METHOD_GROUPS[side],
        pages: methods
          .filter((method) => method.side === side && named.get(method.name) === method)
          .map(({ name, feature }) =>
            own(inline(codeSpan(name)), site.methodPaths.get(name)!, feature !== undefined),
          ),
      })),
    ]),
    tools: withPages([
      { title: "Check", pages: articles("tools") },
      { title: "Manual", pages: above("manual") },
    ]),
  };
}

/** Returns the parts that have pages, each with the address of its first page, of the profile if it has one. */
export function partLinks(
  site: Site,
  page: string,
  current: SitePart | undefined,
): readonly { readonly title: string; readonly url: Url; readonly current: boolean }[] {
  return Object.entries(PARTS).flatMap(([part, title]) => {
    const pages = groupsOf(site)[part as SitePart].flatMap((group) => group.pages);
    const isOwn = ({ path }: NavPage): boolean => path.startsWith(`${site.protocol.profile}/`);
    const first = pages.find(isOwn) ?? pages[0];
    if (first === undefined) return [];
    return [{ title, url: relativeUrl(page, first.path), current: part === current }];
  });
}

/** Returns the pages before and after the current one of a list. */
export function neighbors(
  links: readonly NavLink[],
): readonly (NavLink & { readonly title: string; readonly rel: "prev" | "next" })[] {
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
    .map(({ name, feature }) =>
      linkTo(page, {
        label: inline(codeSpan(name)),
        path: pathOf(name),
        added: feature !== undefined,
      }),
    );
  const title = areas.find(({ name }) => name === own?.area)?.title ?? "Others";
  return [...navigation(site, page, "reference").slice(0, 1), { title: `Types: ${title}`, links }];
}

/**
 * Returns the ways to the same page of the other profiles; undefined where there is only one profile.
 *
 * @param page the path of the page, below the whole site
 * @param own its path below the folder of its profile; undefined for a page above the profiles
 */
export function profileSwitch(
  site: Site,
  page: string,
  own: string | undefined,
): object | undefined {
  if (site.siblings.size < 2) return undefined;
  const label = site.protocol.title.replace(/^ACP /, "");
  const badges = profileBadges(site);
  const shown = badges
    .map((badge) => inlineText(badge.label))
    .filter((word) => !label.includes(word));
  return {
    label,
    status: badges.length === 0 && isAcp(site) ? "stable" : shown.join(", "),
    tone: badges[0]?.tone,
    profiles: [...site.siblings.values()].map((other) => {
      const { protocol, paths } = other;
      // The link leads to the overview of a profile that does not have the page.
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
