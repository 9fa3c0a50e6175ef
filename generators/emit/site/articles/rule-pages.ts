import {
  isOf,
  type CaseSource,
  type ConventionSource,
} from "../../../schema/source/docs-source.js";
import type { RuleExample, RuleSource } from "../../../schema/source/rule-source.js";
import { codeSpan, inline, jsonBlock, type CodeBlock } from "../../../output/markup.js";
import { findMethod } from "../model/flow-messages.js";
import { inMessageOrder } from "../model/message-order.js";
import {
  areaPath,
  checkedRuleId,
  conventionId,
  conventionsOf,
  exampleOf,
  rulesOf,
} from "../model/profile-rules.js";
import type { BadgeView } from "../blocks/badge-view.js";
import { codeExample, heading, note, paragraph, paragraphs, type Block } from "../blocks/block.js";
import { tryIt } from "../blocks/figure.js";
import type { Article, PageScope, Site } from "../model/site.js";
import { levelOf } from "./rules-article.js";

/** The pages of the rules, one per area: those of conduct, and those of the checker with an example each. */
export function ruleAreaArticles(site: Site): readonly Article[] {
  const [conventions, checked] = [conventionsOf(site), rulesOf(site)];
  const areas = new Set([...conventions, ...checked].map(({ area }) => area));
  return [...areas].map((area) => ({
    path: areaPath(area),
    title: `Rules: ${area}`,
    summary: `The rules about ${area[0]!.toLowerCase()}${area.slice(1)}, each with its reason and with messages that keep it and that break it.`,
    group: "hidden",
    blocks: (scope) => [
      ...conventions
        .filter((rule) => rule.area === area)
        .flatMap((rule) => conventionBlocks(rule, scope)),
      ...checked.filter((rule) => rule.area === area).flatMap((rule) => ruleBlocks(rule, scope)),
    ],
  }));
}

function conventionBlocks(convention: ConventionSource, scope: PageScope): readonly Block[] {
  const { id, level, rule, reason, valid, invalid } = convention;
  const tone = level === "required" ? "kind" : "plain";
  return [
    heading(scope.id(conventionId(id)), inline(codeSpan(id)), {
      badges: [{ label: inline(level), tone }],
    }),
    ...paragraphs(scope.prose(rule)),
    note("Why:", inline(...scope.prose(reason))),
    ...cases("Valid", valid, scope),
    ...cases("Invalid", invalid, scope),
  ];
}

function cases(label: string, all: readonly CaseSource[], scope: PageScope): readonly Block[] {
  return all
    .filter((item) => isOf(item, scope.site.protocol.version))
    .map(({ note: text, from = "", message }) => {
      const says = inline(...scope.prose(text));
      if (message === undefined) return note(`${label}:`, says);
      const method = findMethod(String(message["method"]), from, scope.site);
      return codeExample(
        jsonBlock(inMessageOrder(message, method, scope.site)),
        inline(`${label}, sent by the ${from}: `, says),
        tryIt("message", { from }),
        label === "Valid" ? "good" : "bad",
      );
    });
}

function ruleBlocks(rule: RuleSource, scope: PageScope): readonly Block[] {
  const { id, source, title, rationale, features } = rule;
  const level = levelOf(rule, scope.site);
  const tone = level === "error" ? "kind" : "plain";
  const fitting = exampleOf(rule, scope.site);
  const example = (messages: RuleExample["valid"], caption: string, side: "good" | "bad"): Block =>
    codeExample(transcript(messages), inline(caption), tryIt("transcript"), side);
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
          example(fitting.valid, "Valid: a conversation that keeps it", "good"),
          example(fitting.invalid, `Invalid: line ${fitting.line} breaks it`, "bad"),
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
