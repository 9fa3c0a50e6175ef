import { isOf, type CaseSource, type ConventionSource } from "../../../schema/docs-source.js";
import {
  codeSpan,
  inline,
  jsonBlock,
  type CodeBlock,
  type Inline,
} from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import type { Article } from "../article.js";
import { codeExample, heading, note, paragraph, subheading, type Block } from "../block.js";
import type { BadgeView, PageScope } from "../page.js";
import { fittingExample } from "../rule-example.js";
import type { RuleExample, RuleSource } from "../../../schema/rule-source.js";

export const RULES_PATH = "rules.html";

/** How to behave: what the schema cannot say, each rule with its reason and examples. */
export const rulesArticle: Article = {
  path: RULES_PATH,
  title: "Rules",
  summary:
    "How agents and clients have to behave beyond the form of messages, with reasons and examples.",
  group: "reference",
  blocks: (scope) => {
    const conventions = conventionsOf(scope);
    const areas = [...new Set(conventions.map(({ area }) => area))];
    return [
      ...areas.flatMap((area) => [
        heading(scope.id(`area-${urlToken(area)}`), inline(area)),
        ...conventions
          .filter((convention) => convention.area === area)
          .flatMap((convention) => conventionBlocks(convention, scope)),
      ]),
      ...checkedRules(scope),
    ];
  },
};

/** The rules of conduct of the profile's version. */
export function conventionsOf({ site }: PageScope): readonly ConventionSource[] {
  return site.docs.conventions.filter((convention) => isOf(convention, site.protocol.version));
}

/** The rules of conduct that speak of a method. */
export function rulesOfMethod(method: string, scope: PageScope): readonly Inline[] {
  return conventionsOf(scope)
    .filter(({ methods }) => methods.includes(method))
    .map(({ id, level, rule }) => {
      const link = codeSpan(id, scope.toPage(RULES_PATH, `rule-${id}`));
      return inline(...scope.prose(rule), " (", link, `, ${level})`);
    });
}

function conventionBlocks(convention: ConventionSource, scope: PageScope): readonly Block[] {
  const { id, level, rule, reason, correction, valid, invalid } = convention;
  return [
    subheading(scope.id(`rule-${id}`), inline(codeSpan(id)), [levelBadge(level)]),
    ...scope.prose(rule).map(paragraph),
    note("Why:", inline(...scope.prose(reason))),
    ...(correction === undefined ? [] : [note("Corrected:", inline(...scope.prose(correction)))]),
    ...cases("Valid", valid, scope),
    ...cases("Invalid", invalid, scope),
  ];
}

function levelBadge(level: ConventionSource["level"]): BadgeView {
  return { label: inline(level), tone: level === "required" ? "kind" : "plain" };
}

function cases(label: string, all: readonly CaseSource[], scope: PageScope): readonly Block[] {
  return all
    .filter((item) => isOf(item, scope.site.protocol.version))
    .map(({ note: text, from, message }) => {
      const says = inline(...scope.prose(text));
      if (message === undefined) return note(`${label}:`, says);
      return codeExample(jsonBlock(message), inline(`${label}, sent by the ${from}: `, says));
    });
}

/** What the conformance checker looks at in a recorded conversation. */
function checkedRules(scope: PageScope): readonly Block[] {
  const { rules, protocol } = scope.site;
  const own = rules.filter(({ versions }) => versions.includes(protocol.versionNumber));
  if (own.length === 0) return [];
  return [
    heading(scope.id("checked"), inline("Rules of the conformance checker")),
    paragraph(
      inline(
        codeSpan("checkConformance"),
        " of ",
        codeSpan(`${scope.site.packageName}/conformance`),
        " holds a recorded conversation against these rules.",
      ),
    ),
    ...own.flatMap((rule) => ruleBlocks(rule, scope)),
  ];
}

function ruleBlocks(rule: RuleSource, scope: PageScope): readonly Block[] {
  const { id, level, source, title, rationale } = rule;
  const tone = level === "error" ? "kind" : "plain";
  const fitting = fittingExample(rule, scope.site);
  return [
    subheading(scope.id(`check-${urlToken(id)}`), inline(codeSpan(id)), [
      { label: inline(level), tone },
    ]),
    ...scope.prose(title).map(paragraph),
    ...(rationale === "" ? [] : [note("Why:", inline(...scope.prose(rationale)))]),
    paragraph(inline(`Source: ${source}.`)),
    ...(fitting === undefined
      ? []
      : [
          codeExample(transcript(fitting.valid), inline("A conversation that keeps it")),
          codeExample(transcript(fitting.invalid), inline("A conversation that breaks it")),
        ]),
  ];
}

/** One message a line, as the validator and `parseTranscript` read it. */
function transcript(messages: RuleExample["valid"]): CodeBlock {
  const text = messages.map(({ from, message }) => JSON.stringify({ from, message })).join("\n");
  return { markup: "block", language: "json", text };
}
