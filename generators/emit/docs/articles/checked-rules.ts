import { codeSpan, inline, type CodeBlock, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import type { RuleExample, RuleLevel, RuleSource } from "../../../schema/source/rule-source.js";
import {
  codeExample,
  heading,
  note,
  paragraph,
  subheading,
  table,
  type Block,
} from "../parts/block.js";
import { tryIt } from "../parts/figure.js";
import { profileMark } from "../frame/badges.js";
import { siteUrl } from "../frame/scope.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

/** The list of the rules of the conformance checker, which lead to the page of their area. */
export function checkedRules(scope: PageScope): readonly Block[] {
  const own = rulesOf(scope.site);
  if (own.length === 0) return [];
  const areas = [...new Set(own.map(({ area }) => area))];
  return [
    heading(scope.id("checked"), inline("Rules of the checker")),
    paragraph(
      inline(
        codeSpan("checkConformance"),
        " of ",
        codeSpan(`${scope.site.packageName}/conformance`),
        " checks a recorded conversation against these rules, as does the validator of this site. An error violates the protocol; a warning is unusual, and often a mistake. A note is about something that is allowed, but that receivers handle differently; ",
        codeSpan("checkConformance"),
        " reports notes on request.",
      ),
    ),
    ...areas.flatMap((area) => [
      subheading(scope.id(`checked-${urlToken(area.toLowerCase())}`), inline(area)),
      ...table(
        area,
        ["Rule", "Requirement", "Level"],
        own.filter((rule) => rule.area === area).map((rule) => ruleRow(rule, scope)),
      ),
    ]),
    ...rulesOfOtherFeatures(own, scope),
  ];
}

function ruleRow(
  rule: RuleSource,
  scope: PageScope,
): { readonly id: string; readonly cells: readonly Inline[] } {
  const { id, area, title } = rule;
  const part = scope.id(checkedRuleId(id));
  return {
    id: part,
    cells: [
      inline(codeSpan(id, scope.toPage(areaPath(area), part))),
      inline(...scope.prose(title)),
      inline(levelOf(rule, scope.site)),
    ],
  };
}

function levelOf({ level, levelInVersion2 }: RuleSource, { protocol }: Site): RuleLevel {
  return (protocol.versionNumber === 2 ? levelInVersion2 : undefined) ?? level;
}

/** The address of the page of an area. */
export function areaPath(area: string): string {
  return `rules/${urlToken(area.toLowerCase().replaceAll(/[ ,]+/g, "-"))}.html`;
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

/** The rules that a profile's conversations can keep or break. */
export function rulesOf({ rules, protocol, features, methodPaths }: Site): readonly RuleSource[] {
  return rules.rules.filter(
    (rule) =>
      rule.versions.includes(protocol.versionNumber) &&
      rule.features.every((name) => features.has(name)) &&
      rule.methods.every((name) => methodPaths.has(name)),
  );
}

/** The example of a rule in the version of a profile. */
export function exampleOf(rule: RuleSource, { protocol, features }: Site): RuleExample | undefined {
  return rule.examples.find(
    ({ version, feature }) =>
      version === protocol.versionNumber && (feature === undefined || features.has(feature)),
  );
}

/** The id of a rule on its page. */
function checkedRuleId(id: string): string {
  return `check-${urlToken(id)}`;
}

/** A rule with its reason and its example. */
export function ruleBlocks(rule: RuleSource, scope: PageScope): readonly Block[] {
  const { id, source, title, rationale, features } = rule;
  const level = levelOf(rule, scope.site);
  const tone = level === "error" ? "kind" : "plain";
  const fitting = exampleOf(rule, scope.site);
  return [
    heading(scope.id(checkedRuleId(id)), inline(...scope.prose(title), " ", codeSpan(id)), {
      badges: [
        { label: inline(level), tone },
        ...features.flatMap((name) => featureBadge(name, scope.site)),
      ],
    }),
    ...(rationale === "" ? [] : [note("Why:", inline(...scope.prose(rationale)))]),
    paragraph(inline(`Source: ${source}.`)),
    ...(fitting === undefined
      ? []
      : [
          codeExample(
            transcript(fitting.valid),
            inline("Valid: a conversation that keeps it"),
            tryIt("transcript"),
            "good",
          ),
          codeExample(
            transcript(fitting.invalid),
            inline(`Invalid: line ${fitting.line} breaks it`),
            tryIt("transcript"),
            "bad",
          ),
        ]),
  ];
}

/** In a heading, which a link would take apart. */
function featureBadge(name: string, { features }: Site): readonly BadgeView[] {
  const feature = features.get(name);
  if (feature === undefined) return [];
  return [{ label: inline(`${feature.title} (${feature.status})`), tone: feature.status }];
}

/** One message a line, as the validator and `parseTranscript` read it. */
function transcript(messages: RuleExample["valid"]): CodeBlock {
  const text = messages.map(({ from, message }) => JSON.stringify({ from, message })).join("\n");
  return { markup: "block", language: "json", text };
}
