import {
  isOf,
  type CaseSource,
  type ConventionSource,
} from "../../../schema/source/docs-source.js";
import { codeSpan, inline, jsonBlock, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import {
  codeExample,
  heading,
  minorHeading,
  note,
  paragraph,
  subheading,
  tryIt,
  type Block,
} from "../parts/block.js";
import { findMethod } from "../facts/flow-messages.js";
import { inMessageOrder } from "../facts/message-order.js";
import { checkedRules } from "./checked-rules.js";
import type { Article, PageScope, Site } from "../site-types.js";
import type { BadgeView } from "../parts/badge-view.js";

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
export function rulesOfMethod(method: string, scope: PageScope): readonly Inline[] {
  return conventionsOf(scope.site)
    .filter(({ methods }) => methods.includes(method))
    .map(({ id, level, rule }) => {
      const link = codeSpan(id, scope.toPage(RULES_PATH, `rule-${id}`));
      return inline(...scope.prose(rule), " (", link, `, ${level})`);
    });
}

function mainRules(scope: PageScope): readonly Block[] {
  const conventions = conventionsOf(scope.site);
  if (conventions.length === 0) return [];
  const areas = [...new Set(conventions.map(({ area }) => area))];
  return [
    heading(scope.id("main"), inline("Main rules")),
    ...areas.flatMap((area) => [
      subheading(scope.id(`area-${urlToken(area)}`), inline(area)),
      ...conventions
        .filter((convention) => convention.area === area)
        .flatMap((convention) => conventionBlocks(convention, scope)),
    ]),
  ];
}

function conventionBlocks(convention: ConventionSource, scope: PageScope): readonly Block[] {
  const { id, level, rule, reason, valid, invalid } = convention;
  return [
    minorHeading(scope.id(`rule-${id}`), inline(codeSpan(id)), [levelBadge(level)]),
    ...scope.prose(rule).map(paragraph),
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
      );
    });
}

function caseMessage(message: JsonObject, from: string, { site }: PageScope): JsonObject {
  const method = findMethod(String(message["method"]), from, site);
  return inMessageOrder(message, method, site);
}
