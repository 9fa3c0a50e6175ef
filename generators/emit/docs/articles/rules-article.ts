import { isOf, type ConventionSource } from "../../../schema/source/docs-source.js";
import { codeSpan, inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { heading, subheading, table, type Block, type Row } from "../parts/block.js";
import { row } from "../parts/row.js";
import { areaPath, checkedRules } from "./checked-rules.js";
import type { Article, PageScope, Site } from "../site-types.js";

export const RULES_PATH = "rules.html";

/** The rules of behavior that the schema cannot express, each with its reason and examples. */
export const rulesArticle: Article = {
  path: RULES_PATH,
  title: "Rules",
  summary:
    "Required and recommended behavior of agents and clients beyond the schema, with reasons and examples.",
  group: "reference",
  blocks: (scope) => [...mainRules(scope), ...checkedRules(scope)],
};

/** The rules of conduct of the profile's version. */
export function conventionsOf({ docs, protocol }: Site): readonly ConventionSource[] {
  return docs.conventions.filter((convention) => isOf(convention, protocol.version));
}

/** The rules of conduct that speak of a method. */
export function rulesOfMethod(method: string, scope: PageScope): readonly Row[] {
  return conventionsOf(scope.site)
    .filter(({ methods }) => methods.includes(method))
    .map(({ id, area, level, rule }) =>
      row(inline(codeSpan(id, scope.toPage(areaPath(area), conventionId(id)))), {
        marks: [{ tone: level === "required" ? "must" : "may", text: inline(level) }],
        text: scope.prose(rule),
      }),
    );
}

function mainRules(scope: PageScope): readonly Block[] {
  const conventions = conventionsOf(scope.site);
  if (conventions.length === 0) return [];
  const areas = [...new Set(conventions.map(({ area }) => area))];
  return [
    heading(scope.id("main"), inline("Main rules")),
    ...areas.flatMap((area) => [
      subheading(scope.id(`area-${urlToken(area)}`), inline(area)),
      ...table(
        area,
        ["Rule", "Requirement", "Level"],
        conventions
          .filter((convention) => convention.area === area)
          .map(({ id, rule, level }) => {
            const part = scope.id(conventionId(id));
            return {
              id: part,
              cells: [
                inline(codeSpan(id, scope.toPage(areaPath(area), part))),
                inline(...scope.prose(rule)),
                inline(level),
              ],
            };
          }),
      ),
    ]),
  ];
}

/** The id of a rule of conduct. */
export function conventionId(id: string): string {
  return `rule-${id}`;
}
