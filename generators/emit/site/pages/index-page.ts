import type { Method } from "../../../model/protocol.js";
import type { MethodSide } from "../../../schema/source/sources.js";
import { codeSpan, inline, textLink } from "../../../output/markup.js";
import { relativeUrl, urlToken } from "../../../output/url.js";
import { gateLabel } from "../components/gate-view.js";
import { DIRECTIONS } from "../model/directions.js";
import { createPageScope } from "../components/scope.js";
import { featureMark, featureBadges } from "../components/badges.js";
import { frameView, type Page } from "../layout/frame.js";
import { METHOD_GROUPS, SIDES } from "../layout/nav.js";
import { INDEX_PATH } from "../paths.js";
import {
  heading,
  names,
  paragraphs,
  rows,
  subheading,
  type Block,
  type Row,
} from "../blocks/block.js";
import { may, row } from "../components/row.js";
import type { PageScope, Site } from "../model/site.js";
import { articleView } from "./article-page.js";

/** The overview of a profile: its methods by role and area, and its types by area. */
export function indexPage(site: Site): Page {
  const scope = createPageScope(site, INDEX_PATH);
  const { protocol, methodPaths, typePaths, articles } = site;
  const [lead = inline(), ...description] = scope.prose(protocol.description);
  const blocks = [
    ...paragraphs(description),
    heading("methods", inline("Methods"), { isQuiet: true }),
    ...SIDES.flatMap((side) => sideBlocks(side, scope)),
    heading("types", inline("Types")),
    ...typeBlocks(scope),
    heading("pages", inline("Pages")),
    ...names(
      articles.map(({ title, path }) => inline(textLink(title, relativeUrl(INDEX_PATH, path)))),
    ),
  ];
  const signature = {
    way: inline(`${methodPaths.size} methods`),
    items: [inline(`${typePaths.size} types`)],
  };
  const view = articleView(inline(protocol.title), lead, blocks, { signature });
  const frame = frameView("", protocol.description, scope);
  return { path: INDEX_PATH, template: "article", view: { ...view, frame } };
}

/** The types of each area, in the order of their names. */
function typeBlocks({ site, toType }: PageScope): readonly Block[] {
  const { areas, definitions } = site.protocol;
  const all = [...definitions].sort(({ name: a }, { name: b }) => (a < b ? -1 : 1));
  const known = new Set(areas.map(({ name }) => name));
  return [...areas, { name: "", title: "Others" }].flatMap((area) => {
    const links = all
      .filter((type) => (known.has(type.area) ? type.area : "") === area.name)
      .map(({ name, feature }) => inline(codeSpan(name, toType(name)), featureMark(feature, site)));
    if (links.length === 0) return [];
    return [
      subheading(`types-${urlToken(area.name || "others")}`, inline(area.title)),
      ...names(links),
    ];
  });
}

/** The methods that a side handles, by area. */
function sideBlocks(side: MethodSide, scope: PageScope): readonly Block[] {
  const { methods, areas } = scope.site.protocol;
  const handled = methods.filter((method) => method.side === side);
  if (handled.length === 0) return [];
  const { from, to } = DIRECTIONS[side];
  return [
    heading(scope.id(side), inline(METHOD_GROUPS[side]), { aside: inline(`${from} → ${to}`) }),
    ...areas.flatMap(({ name, title, description }) => {
      const own = handled.filter((method) => method.area === name);
      if (own.length === 0) return [];
      return [
        subheading(scope.id(`${side}-${urlToken(name)}`), inline(title)),
        ...paragraphs(scope.prose(description), "small"),
        ...rows(own.map((method) => methodRow(method, scope))),
      ];
    }),
  ];
}

function methodRow({ name, kind, gate, feature, summary }: Method, scope: PageScope): Row {
  return row(inline(codeSpan(name, scope.toMethod(name))), {
    marks: may(kind, gateLabel(gate, scope)),
    badges: featureBadges(feature, scope),
    text: scope.prose(summary),
  });
}
