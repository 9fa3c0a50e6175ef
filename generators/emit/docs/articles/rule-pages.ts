import {
  isOf,
  type CaseSource,
  type ConventionSource,
} from "../../../schema/source/docs-source.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import { codeSpan, inline, jsonBlock } from "../../../output/markup.js";
import { findMethod } from "../facts/flow-messages.js";
import { inMessageOrder } from "../facts/message-order.js";
import type { BadgeView } from "../parts/badge-view.js";
import { codeExample, heading, note, paragraphs, type Block } from "../parts/block.js";
import { tryIt } from "../parts/figure.js";
import type { Article, PageScope, Site } from "../site-types.js";
import { areaPath, ruleBlocks, rulesOf } from "./checked-rules.js";
import { conventionId, conventionsOf } from "./rules-article.js";

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
  return [
    heading(scope.id(conventionId(id)), inline(codeSpan(id)), { badges: [levelBadge(level)] }),
    ...paragraphs(scope.prose(rule)),
    note("Why:", inline(...scope.prose(reason))),
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
      return codeExample(
        jsonBlock(caseMessage(message, from ?? "", scope)),
        inline(`${label}, sent by the ${from}: `, says),
        tryIt("message", { from: from ?? "" }),
        label === "Valid" ? "good" : "bad",
      );
    });
}

function caseMessage(message: JsonObject, from: string, { site }: PageScope): JsonObject {
  const method = findMethod(String(message["method"]), from, site);
  return inMessageOrder(message, method, site);
}
