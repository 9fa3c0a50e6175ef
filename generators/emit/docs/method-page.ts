import type { Method } from "../../model/protocol.js";
import type { MethodKind, Side } from "../../schema/sources.js";
import { codeSpan, inline, textLink, type CodeBlock, type Inline } from "../../output/markup.js";
import { fragmentUrl } from "../../output/url.js";
import { errorsView, type ErrorsView } from "./error-view.js";
import { exampleViews, type ExampleView } from "./example-view.js";
import { gateView } from "./gate-view.js";
import {
  createScope,
  featureBadges,
  frameView,
  type BadgeView,
  type FrameView,
  type Page,
  type PageScope,
} from "./page.js";
import { usedTypes } from "./references.js";
import { shapeView, type ShapeView } from "./shape-view.js";
import type { Site } from "./site.js";

interface MethodPageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly toc: readonly TocView[];
  /** One a kind and side that has the name. */
  readonly methods: readonly MethodView[];
}

interface TocView {
  readonly link: Inline;
  readonly parts: readonly Inline[];
}

interface MethodView {
  readonly id: string;
  readonly heading: string;
  readonly badges: readonly BadgeView[];
  readonly summary: readonly Inline[];
  readonly description: readonly Inline[];
  readonly gate: Inline;
  /** Params, and the result of a request. */
  readonly messages: readonly MessagePartView[];
  readonly examplesId: string;
  readonly examples: readonly ExampleView[];
  readonly errorsId: string;
  readonly errors: ErrorsView;
  readonly typescriptId: string;
  readonly imports: CodeBlock;
  readonly handler: Inline;
  readonly usedTypesId: string;
  readonly usedTypes: readonly Inline[];
}

interface MessagePartView {
  readonly id: string;
  readonly heading: "Params" | "Result";
  readonly type: Inline;
  readonly shape: ShapeView;
}

/** Who sends what a side handles. */
export const SENDERS: { readonly [side in Side]: { readonly from: string; readonly to: string } } =
  {
    agent: { from: "client", to: "agent" },
    client: { from: "agent", to: "client" },
    protocol: { from: "either side", to: "the other" },
    proxy: { from: "conductor", to: "proxy" },
  };

/** The page of all methods of one name. */
export function methodPage(name: string, site: Site): Page {
  const path = site.methodPaths.get(name)!;
  const scope = createScope(site, path);
  // Requests first, so that their ids stay when a notification of the same name is added.
  const methods = (["request", "notification"] as const).flatMap((kind) =>
    site.protocol.methods.filter((method) => method.name === name && method.kind === kind),
  );
  const views = methods.map((method, index) => methodView(method, index === 0, scope));
  const view: MethodPageView = {
    frame: frameView(name, methods[0]!.summary, scope),
    name,
    toc: views.map(tocView),
    methods: views,
  };
  return { path, template: "method", view };
}

/** @param first the ids of the page's first method are without a prefix */
function methodView(method: Method, first: boolean, scope: PageScope): MethodView {
  const id = scope.id(method.kind);
  const prefix = first ? "" : `${id}-`;
  const { from, to } = SENDERS[method.side];
  const gate = gateView(method.gate, scope);
  return {
    id,
    heading: `${KINDS[method.kind]}, ${from} to ${to}`,
    badges: [
      { label: inline(method.kind), tone: "kind" },
      { label: inline(`${from} → ${to}`), tone: "kind" },
      gate.badge,
      ...featureBadges(method.feature, scope),
    ],
    summary: scope.prose(method.summary),
    description: scope.prose(method.description),
    gate: gate.sentence,
    messages: [
      messagePart("Params", method.params, prefix, scope),
      ...(method.result === undefined ? [] : [messagePart("Result", method.result, prefix, scope)]),
    ],
    examplesId: scope.id(`${prefix}examples`),
    examples: exampleViews(method),
    errorsId: scope.id(`${prefix}errors`),
    errors: errorsView(method, scope),
    typescriptId: scope.id(`${prefix}ts`),
    imports: imports(method, scope.site),
    handler: inline(codeSpan(method.handler.join("."))),
    usedTypesId: scope.id(`${prefix}used-types`),
    usedTypes: usedTypes(method, scope.site.definitions).map((name) =>
      inline(codeSpan(name, scope.toType(name))),
    ),
  };
}

const KINDS: { readonly [kind in MethodKind]: string } = {
  request: "Request",
  notification: "Notification",
};

function messagePart(
  heading: MessagePartView["heading"],
  name: string,
  prefix: string,
  scope: PageScope,
): MessagePartView {
  const id = scope.id(`${prefix}${heading.toLowerCase()}`);
  const definition = scope.site.definitions.get(name)!;
  return {
    id,
    heading,
    type: inline(codeSpan(name, scope.toType(name))),
    shape: shapeView(definition.shape, { prefix: `${id}-`, steps: [] }, scope),
  };
}

/** What a program writes to have the method's types (`DESIGN.md`, section 9). */
function imports({ params, result }: Method, { definitions, protocol }: Site): CodeBlock {
  const names = [params, ...(result === undefined ? [] : [result])];
  const identifiers = [...new Set(names.map((name) => definitions.get(name)!.identifier))];
  const from = JSON.stringify(`acp-bindings/${protocol.profile}`);
  const text = `import type { ${identifiers.join(", ")} } from ${from};`;
  return { markup: "block", language: "ts", text };
}

function tocView(method: MethodView): TocView {
  const part = (text: string, id: string): Inline => inline(textLink(text, fragmentUrl(id)));
  return {
    link: part(method.heading, method.id),
    parts: [
      ...method.messages.map(({ heading, id }) => part(heading, id)),
      part("Examples", method.examplesId),
      part("Errors", method.errorsId),
      part("TypeScript", method.typescriptId),
      part("Used types", method.usedTypesId),
    ],
  };
}
