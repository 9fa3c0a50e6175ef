import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline } from "../../../output/markup.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import { heading, paragraph, table, type Block } from "../blocks/block.js";
import { gateSentence } from "../components/gate-view.js";
import { DIRECTIONS } from "../model/directions.js";
import type { Article, PageScope } from "../model/site.js";
import { featureBadges } from "../components/badges.js";

export const CHECKLIST_FILE = "checklist.json";

/** The methods that an agent and a client must handle. */
export const checklistArticle: Article = {
  path: "checklist.html",
  title: "Checklist",
  summary: "Every method by side: who handles it, and whether handling it is required.",
  group: "tools",
  blocks: (scope) => [
    paragraph(
      inline("Also as JSON: ", codeSpan(CHECKLIST_FILE, scope.toPage(CHECKLIST_FILE)), "."),
    ),
    ...part("agent", "An agent handles", scope),
    ...part("client", "A client handles", scope),
    ...part("protocol", "Both handle", scope),
    ...part("proxy", "A proxy handles", scope),
  ],
};

/** The obligation of a side to handle a method. */
export function obligation({ gate }: Method): "must" | "may" | "must if advertised" {
  if (gate === undefined) return "may";
  if (gate.kind === "always") return gate.reason === "baseline" ? "must" : "may";
  return "must if advertised";
}

/** The checklist as data. */
export function checklistJson(methods: readonly Method[]): JsonObject {
  return {
    methods: methods.map((method) => ({
      name: method.name,
      kind: method.kind,
      handledBy: method.side,
      sentBy: DIRECTIONS[method.side].from,
      obligation: obligation(method),
      ...(method.feature !== undefined && { feature: method.feature }),
    })),
  };
}

function part(side: Method["side"], title: string, scope: PageScope): readonly Block[] {
  const methods = scope.site.protocol.methods.filter((method) => method.side === side);
  if (methods.length === 0) return [];
  return [
    heading(scope.id(side), inline(title)),
    ...table(
      title,
      ["Method", "Kind", "Obligation", "When"],
      methods.map((method) => ({
        cells: [
          {
            lines: [inline("☐ ", codeSpan(method.name, scope.toMethod(method.name)))],
            badges: featureBadges(method.feature, scope),
          },
          inline(method.kind),
          inline(obligation(method)),
          gateSentence(method.gate, scope),
        ],
      })),
    ),
  ];
}
