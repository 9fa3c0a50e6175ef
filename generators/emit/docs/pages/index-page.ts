import type { Method } from "../../../model/protocol.js";
import type { Side } from "../../../schema/source/sources.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { relativeUrl } from "../../../output/url.js";
import { gateView } from "../parts/gate-view.js";
import { DIRECTIONS } from "../facts/directions.js";
import { createScope } from "../frame/scope.js";
import { featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import { INDEX_PATH } from "../frame/paths.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

interface IndexPageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly description: readonly Inline[];
  readonly methodCount: number;
  readonly typeCount: number;
  readonly sides: readonly SideView[];
  readonly pages: readonly { readonly link: Inline; readonly summary: string }[];
  readonly types: readonly Inline[];
}

interface SideView {
  readonly id: string;
  readonly title: string;
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
  readonly gate: BadgeView;
  readonly badges: readonly BadgeView[];
  readonly summary: readonly Inline[];
}

/** The overview of a profile: its methods by role and area, its types from A to Z. */
export function indexPage(site: Site): Page {
  const scope = createScope(site, INDEX_PATH);
  const { protocol } = site;
  const view: IndexPageView = {
    frame: frameView("", protocol.description, scope),
    name: protocol.title,
    description: scope.prose(protocol.description),
    methodCount: protocol.methods.length,
    typeCount: site.typePaths.size,
    sides: (["agent", "client", "protocol", "proxy"] as const).flatMap((side) =>
      sideView(side, scope),
    ),
    pages: site.articles.map(({ title, path, summary }) => ({
      link: inline(textLink(title, relativeUrl(INDEX_PATH, path))),
      summary,
    })),
    types: [...site.typePaths.keys()]
      .sort()
      .map((name) =>
        inline(
          codeSpan(name, scope.toType(name)),
          featureMark(site.definitions.get(name)!.feature, site),
        ),
      ),
  };
  return { path: INDEX_PATH, template: "index", view };
}

/** The methods that a side handles; no view for none. */
function sideView(side: Side, scope: PageScope): SideView[] {
  const { methods, areas } = scope.site.protocol;
  const handled = methods.filter((method) => method.side === side);
  if (handled.length === 0) return [];
  const { from, to } = DIRECTIONS[side];
  const view: SideView = {
    id: scope.id(side),
    title: `From ${from} to ${to}`,
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
    gate: gateView(method.gate, scope).badge,
    badges: featureBadges(method.feature, scope),
    summary: scope.prose(method.summary),
  };
}
