import type { Method } from "../../../model/protocol.js";
import type { Side } from "../../../schema/source/sources.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl, relativeUrl } from "../../../output/url.js";
import { gateLabel } from "../parts/gate-view.js";
import { DIRECTIONS } from "../facts/directions.js";
import { createScope } from "../frame/scope.js";
import { featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import { METHOD_GROUPS } from "../frame/nav.js";
import { INDEX_PATH } from "../frame/paths.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { TocView } from "../parts/toc.js";
import type { PageScope, Site } from "../site-types.js";

interface IndexPageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly description: readonly Inline[];
  readonly methodCount: number;
  readonly typeCount: number;
  readonly toc: readonly TocView[];
  readonly sides: readonly SideView[];
  readonly pages: readonly { readonly link: Inline; readonly summary: string }[];
  readonly types: readonly { readonly title: string; readonly names: readonly Inline[] }[];
}

interface SideView {
  readonly id: string;
  readonly title: string;
  /** `client → agent` */
  readonly way: string;
  readonly areas: readonly AreaView[];
}

interface AreaView {
  readonly title: string;
  readonly description: readonly Inline[];
  readonly rows: readonly MethodRow[];
}

interface MethodRow {
  readonly name: Inline;
  readonly kind: string;
  readonly gate: Inline;
  readonly badges: readonly BadgeView[];
  readonly summary: readonly Inline[];
}

/** The overview of a profile: its methods by role and area, and its types by area. */
export function indexPage(site: Site): Page {
  const scope = createScope(site, INDEX_PATH);
  const { protocol } = site;
  const sides = (["agent", "client", "protocol", "proxy"] as const).flatMap((side) =>
    sideView(side, scope),
  );
  const part = (title: string, id: string): TocView => ({
    link: inline(textLink(title, fragmentUrl(id))),
    parts: [],
  });
  const view: IndexPageView = {
    frame: frameView("", protocol.description, scope),
    name: protocol.title,
    description: scope.prose(protocol.description),
    methodCount: site.methodPaths.size,
    typeCount: site.typePaths.size,
    toc: [
      ...sides.map(({ title, id }) => part(title, id)),
      part("Types", "types"),
      part("Pages", "pages"),
    ],
    sides,
    pages: site.articles.map(({ title, path, summary }) => ({
      link: inline(textLink(title, relativeUrl(INDEX_PATH, path))),
      summary,
    })),
    types: typesByArea(scope),
  };
  return { path: INDEX_PATH, template: "index", view };
}

/** The types of each area, in the order of their names. */
function typesByArea({ site, toType }: PageScope): IndexPageView["types"] {
  const { areas, definitions } = site.protocol;
  const all = [...definitions].sort(({ name: a }, { name: b }) => (a < b ? -1 : 1));
  const known = new Set(areas.map(({ name }) => name));
  return [...areas, { name: "", title: "Others" }]
    .map((area) => ({
      title: area.title,
      names: all
        .filter((type) => (known.has(type.area) ? type.area : "") === area.name)
        .map(({ name, feature }) =>
          inline(codeSpan(name, toType(name)), featureMark(feature, site)),
        ),
    }))
    .filter(({ names }) => names.length > 0);
}

/** The methods that a side handles; no view for none. */
function sideView(side: Side, scope: PageScope): SideView[] {
  const { methods, areas } = scope.site.protocol;
  const handled = methods.filter((method) => method.side === side);
  if (handled.length === 0) return [];
  const { from, to } = DIRECTIONS[side];
  const view: SideView = {
    id: scope.id(side),
    title: METHOD_GROUPS[side],
    way: `${from} → ${to}`,
    areas: areas.flatMap(({ name, title, description }) => {
      const rows = handled.filter((method) => method.area === name);
      if (rows.length === 0) return [];
      return [
        {
          title,
          description: scope.prose(description),
          rows: rows.map((row) => methodRow(row, scope)),
        },
      ];
    }),
  };
  return [view];
}

function methodRow(method: Method, scope: PageScope): MethodRow {
  return {
    name: inline(codeSpan(method.name, scope.toMethod(method.name))),
    kind: method.kind,
    gate: gateLabel(method.gate, scope),
    badges: featureBadges(method.feature, scope),
    summary: scope.prose(method.summary),
  };
}
