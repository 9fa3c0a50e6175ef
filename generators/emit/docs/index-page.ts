import type { Method } from "../../model/protocol.js";
import type { Side } from "../../schema/sources.js";
import { codeSpan, inline, type Inline } from "../../output/markup.js";
import { urlToken } from "../../output/url.js";
import { gateView } from "./gate-view.js";
import { SENDERS } from "./method-page.js";
import {
  createScope,
  featureBadges,
  frameView,
  INDEX_PATH,
  type BadgeView,
  type FrameView,
  type Page,
  type PageScope,
} from "./page.js";
import type { Site } from "./site.js";

interface IndexPageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly description: readonly Inline[];
  readonly methodCount: number;
  readonly typeCount: number;
  readonly sides: readonly SideView[];
  readonly letters: readonly LetterView[];
  readonly features: readonly FeatureView[];
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

interface LetterView {
  readonly id: string;
  readonly letter: string;
  readonly types: readonly Inline[];
}

interface FeatureView {
  readonly id: string;
  readonly name: Inline;
  readonly title: string;
  readonly status: string;
  readonly description: readonly Inline[];
  /** Where it is discussed; text, since only addresses of our own are links. */
  readonly proposal: string;
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
    letters: letterViews(scope),
    features: protocol.features.map(({ name, title, status, description, proposal }) => ({
      id: scope.id(`feature-${urlToken(name)}`),
      name: inline(codeSpan(name)),
      title,
      status,
      description: scope.prose(description),
      proposal: proposal ?? "",
    })),
  };
  return { path: INDEX_PATH, template: "index", view };
}

/** The methods that a side handles; nothing when there are none. */
function sideView(side: Side, scope: PageScope): SideView[] {
  const { methods, areas } = scope.site.protocol;
  const handled = methods.filter((method) => method.side === side);
  if (handled.length === 0) return [];
  const { from, to } = SENDERS[side];
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

function letterViews(scope: PageScope): LetterView[] {
  const names = [...scope.site.typePaths.keys()].sort();
  const letters = [...new Set(names.map(initial))];
  return letters.map((letter) => ({
    id: scope.id(`letter-${urlToken(letter)}`),
    letter,
    types: names
      .filter((name) => initial(name) === letter)
      .map((name) => inline(codeSpan(name, scope.toType(name)))),
  }));
}

function initial(name: string): string {
  return /^[A-Za-z]/.test(name) ? name.charAt(0).toUpperCase() : "other";
}
