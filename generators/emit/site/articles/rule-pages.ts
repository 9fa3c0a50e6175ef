import {
  isOf,
  type MessageExample,
  type ConventionSource,
} from "../../../schema/source/docs-source.js";
import type { RuleExample, RuleSource } from "../../../schema/source/rule-source.js";
import { codeSpan, inline, jsonBlock, type CodeBlock } from "../../../output/markup.js";
import { methodSentBy } from "../model/flow-messages.js";
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
    summary: `What agents and clients must do about ${area[0]!.toLowerCase()}${area.slice(1)}, with passing and failing examples.`,
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

function cases(label: string, all: readonly MessageExample[], scope: PageScope): readonly Block[] {
  return all
    .filter((item) => isOf(item, scope.site.protocol.version))
    .map(({ note: text, from = "", message }) => {
      const says = inline(...scope.prose(text));
      if (message === undefined) return note(`${label}:`, says);
      const method = methodSentBy(String(message["method"]), from, scope.site);
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
  const example = (code: CodeBlock, caption: string, side: "good" | "bad"): Block =>
    codeExample(code, inline(caption), tryIt("transcript"), side);
  return [
    heading(scope.id(checkedRuleId(id)), inline(...scope.prose(title)), {
      aside: inline(codeSpan(id)),
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
          example(transcript(fitting.valid), "Passes", "good"),
          example(
            transcript(fitting.invalid, new Map([[fitting.line - 1, brokenValues(fitting)]])),
            `Fails at line ${fitting.line}`,
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

/** One message per line, as the validator and `parseTranscript` read it. */
function transcript(
  messages: RuleExample["valid"],
  rows: CodeBlock["rows"] = new Map(),
): CodeBlock {
  const text = messages.map(({ from, message }) => JSON.stringify({ from, message })).join("\n");
  return { markup: "block", language: "json", text, rows };
}

/** The values of the message that breaks a rule that the message in its place, which keeps it, does not have. */
function brokenValues({ valid, invalid, line }: RuleExample): readonly string[] {
  const broken = invalid[line - 1]!;
  const methodOf = (message: unknown): unknown => (message as { method?: string }).method;
  const isLike = ({ from, message }: RuleExample["valid"][number]): boolean =>
    from === broken.from && methodOf(message) === methodOf(broken.message);
  const place = valid[line - 1];
  const kept = place !== undefined && isLike(place) ? place : valid.find(isLike);
  if (kept === undefined) return [];
  const others = new Map(valuesIn(kept.message));
  return valuesIn(broken.message).flatMap(([path, value]) =>
    path !== "/id" && others.get(path) !== value ? [value] : [],
  );
}

/** The JSON texts of the values of a message that consist of no others, by their pointers. */
function valuesIn(value: unknown, path = ""): readonly (readonly [path: string, text: string])[] {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, item]) => valuesIn(item, `${path}/${key}`));
}
