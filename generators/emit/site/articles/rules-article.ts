import { codeSpan, inline, phrase, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import type { RuleLevel, RuleSource } from "../../../schema/source/rule-source.js";
import { heading, paragraph, subheading, table, type Block, type Row } from "../blocks/block.js";
import { row } from "../components/row.js";
import { profileMark } from "../components/badges.js";
import { siteUrl } from "../components/scope.js";
import {
  areaPath,
  checkedRuleId,
  conventionId,
  conventionsOf,
  rulesOf,
  RULES_PATH,
} from "../model/profile-rules.js";
import type { Article, PageScope, Site } from "../model/site.js";
import { siteHas } from "./guides/guide-chunks.js";

/** The rules of behavior that the schema cannot express: lists of all, which lead to the pages of their areas. */
export const rulesArticle: Article = {
  path: RULES_PATH,
  title: "Rules",
  summary:
    "Required and recommended behavior of agents and clients beyond the schema, with reasons and examples.",
  group: "reference",
  blocks: (scope) => [...mainRules(scope), ...checkedRules(scope)],
};

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
  const listed = conventions.map(({ id, area, rule, level }) => {
    return { id, area, level, text: rule, part: scope.id(conventionId(id)) };
  });
  return [
    heading(scope.id("main"), inline("Main rules")),
    ...areaTables(listed, (area) => `area-${urlToken(area)}`, scope),
  ];
}

function checkedRules(scope: PageScope): readonly Block[] {
  const own = rulesOf(scope.site);
  if (own.length === 0) return [];
  const listed = own.map((rule) => {
    const { id, area, title: text } = rule;
    return { id, area, text, level: levelOf(rule, scope.site), part: scope.id(checkedRuleId(id)) };
  });
  const check = codeSpan("checkConformance");
  const entry = codeSpan(`${scope.site.packageName}/conformance`);
  const [alsoBy, onRequest] = siteHas("TypeScript", scope.site)
    ? [phrase`, as does ${check} of ${entry}`, phrase`; ${check} reports notes on request`]
    : [];
  return [
    heading(scope.id("checked"), inline("Rules of the checker")),
    paragraph(
      phrase`The validator of this site checks a recorded conversation against these rules${alsoBy ?? ""}. An error violates the protocol; a warning is unusual, and often a mistake. A note is about something that is allowed, but that receivers handle differently${onRequest ?? ""}.`,
    ),
    ...areaTables(listed, (area) => `checked-${urlToken(area.toLowerCase())}`, scope),
    ...rulesOfOtherFeatures(own, scope),
  ];
}

interface ListedRule {
  readonly id: string;
  readonly area: string;
  readonly text: string;
  readonly level: string;
  /** The id of its row, and of its part of the page of its area. */
  readonly part: string;
}

function areaTables(
  rules: readonly ListedRule[],
  headingId: (area: string) => string,
  scope: PageScope,
): readonly Block[] {
  const cells = ({ id, area, text, level, part }: ListedRule): readonly Inline[] => [
    inline(codeSpan(id, scope.toPage(areaPath(area), part))),
    inline(...scope.prose(text)),
    inline(level),
  ];
  return [...new Set(rules.map(({ area }) => area))].flatMap((area) => [
    subheading(scope.id(headingId(area)), inline(area)),
    ...table(
      area,
      ["Rule", "Requirement", "Level"],
      rules
        .filter((rule) => rule.area === area)
        .map((rule) => ({ id: rule.part, cells: cells(rule) })),
    ),
  ]);
}

/** The level of a rule in the version of a profile. */
export function levelOf({ level, levelInVersion2 }: RuleSource, { protocol }: Site): RuleLevel {
  return (protocol.versionNumber === 2 ? levelInVersion2 : undefined) ?? level;
}

/** The rules of the version whose features the profile lacks, with links to other profiles. */
function rulesOfOtherFeatures(own: readonly RuleSource[], scope: PageScope): readonly Block[] {
  const { site, path } = scope;
  const { versionNumber } = site.protocol;
  const others = site.rules.rules.filter(
    (rule) =>
      rule.versions.includes(versionNumber) && !own.includes(rule) && rule.features.length > 0,
  );
  const title = subheading(
    // Without any rule the id stays, since earlier releases of the schema may have had some.
    scope.id("checked-other-features"),
    inline("Rules of features outside this profile"),
  );
  if (others.length === 0)
    return [title, paragraph(inline("This profile has all features that rules are about."))];
  const owners = [...site.siblings.values()]
    .filter(({ protocol }) => protocol.versionNumber === versionNumber)
    .map((other) => ({ other, rules: rulesOf(other) }));
  const rows = others.map((rule) => {
    const owner = owners.find(({ rules }) => rules.includes(rule))?.other;
    const id = checkedRuleId(rule.id);
    const there = owner && siteUrl(site, path, `${owner.protocol.profile}/${path}`, id);
    const where = owner === undefined ? "" : ` of ${owner.protocol.title}${profileMark(owner)}`;
    return {
      id: scope.id(id),
      cells: [
        inline(codeSpan(rule.id, there), where),
        inline(...scope.prose(rule.title)),
        inline(rule.features.join(", ")),
      ],
    };
  });
  return [title, ...table("Rules of other features", ["Rule", "Requirement", "Feature"], rows)];
}
