import type { FlowSource } from "../../../schema/source/docs-source.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { urlToken } from "../../../output/url.js";
import { codeExample, heading, paragraphs, type Block } from "../blocks/block.js";
import { tryIt } from "../blocks/figure.js";
import { drawDiagram, type Diagram } from "../diagrams/diagram.js";
import { messageCode } from "../components/scope.js";
import { flowMessages, flowsOf, type FlowMessage } from "../model/flow-messages.js";
import type { Article, PageScope, Site } from "../model/site.js";

export const FLOWS_PATH = "flows.html";

/** The pictures of all flows, which lead to their pages. */
export const flowsArticle: Article = {
  path: FLOWS_PATH,
  title: "Flows",
  summary: "Complete message sequences: each request, notification and response with its sender.",
  group: "learn",
  blocks: (scope) =>
    flowsOf(scope.site).flatMap((flow) => {
      const id = scope.id(flow.id);
      const messages = flowMessages(flow, scope.site);
      const url = scope.toPage(flowPath(flow.id))!;
      return [
        heading(id, inline(textLink(flow.title, url))),
        ...paragraphs(scope.prose(flow.summary)),
        { diagram: flowDiagram(`${id}-picture`, flow.title, messages) },
      ];
    }),
};

/** The page of each flow: a picture, the same as a list, and the whole messages. */
export function flowArticles(site: Site): readonly Article[] {
  return flowsOf(site).map((flow) => ({
    path: flowPath(flow.id),
    title: flow.title,
    summary: flow.summary.replaceAll("`", ""),
    group: "flows",
    blocks: (scope) => flowBlocks(flow, scope),
  }));
}

/** The address of a flow's page. */
export function flowPath(id: string): string {
  return `flows/${urlToken(id)}.html`;
}

function flowBlocks(flow: FlowSource, scope: PageScope): readonly Block[] {
  const messages = flowMessages(flow, scope.site);
  return [
    { diagram: flowDiagram(scope.id("picture"), flow.title, messages) },
    { steps: messages.map((message) => stepLine(message, scope)) },
    heading(scope.id("messages"), inline("Messages")),
    ...messages.map(({ message, method, name, kind, from }, index) =>
      codeExample(
        messageCode(message, method, scope),
        inline(`${index + 1}. ${from}: ${LABELS[kind]} `, codeSpan(name)),
        tryIt("conversation", { from }),
      ),
    ),
  ];
}

const LABELS = {
  request: "request",
  notification: "notification",
  result: "result of",
  error: "error of",
} as const;

function stepLine({ from, name, kind, note }: FlowMessage, scope: PageScope): Inline {
  const { site } = scope;
  const code = codeSpan(name, site.methodPaths.has(name) ? scope.toMethod(name) : undefined);
  const to = from === "client" ? "agent" : "client";
  return inline(`${from} → ${to}: ${LABELS[kind]} `, code, ". ", ...scope.prose(note));
}

function flowDiagram(id: string, title: string, messages: readonly FlowMessage[]): Diagram {
  return drawDiagram(
    id,
    `Sequence: ${title}. The list of its page has the same steps.`,
    { from: "client", to: "agent" },
    messages.map(({ from, kind, name, message }, index) => ({
      forward: from === "client",
      label: `${index + 1}. ${label(name, kind, message)}`,
      isAnswer: kind === "result" || kind === "error",
    })),
  );
}

/** The label of a message; updates are labeled with their kind, which says more than the method. */
function label(
  name: string,
  kind: FlowMessage["kind"],
  { params }: FlowMessage["message"],
): string {
  if (kind === "error") return `error (${name})`;
  if (kind === "result") return `result (${name})`;
  const update = (params as { readonly update?: { readonly sessionUpdate?: string } } | undefined)
    ?.update;
  return update?.sessionUpdate ?? name;
}
