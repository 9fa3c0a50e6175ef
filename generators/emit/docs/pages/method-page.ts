import type { Method } from "../../../model/protocol.js";
import { isOf } from "../../../schema/source/docs-source.js";
import type { MethodKind } from "../../../schema/source/sources.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { FLOWS_PATH } from "../articles/flows-article.js";
import { LIFECYCLE_PATH } from "../articles/lifecycle-article.js";
import { rulesOfMethod } from "../articles/rules-article.js";
import type { Diagram } from "../diagrams/diagram.js";
import { methodInOtherProfiles } from "../facts/other-profiles.js";
import { errorsView, type ErrorsView } from "../parts/error-view.js";
import { exampleViews, type ExampleView } from "../parts/example-view.js";
import { sequenceSentence, sequenceDiagram } from "../diagrams/sequence.js";
import { flowsOf } from "../facts/flow-messages.js";
import { gateView } from "../parts/gate-view.js";
import { lifecycleOf } from "../facts/profile-lifecycle.js";
import { usedTypes } from "../facts/type-uses.js";
import { shapeView, type ShapeView } from "../parts/shape-view.js";
import { DIRECTIONS } from "../facts/directions.js";
import type { TocView } from "../parts/toc.js";
import { codeTabs, type CodeTab } from "../parts/code-tabs.js";
import { typescriptSamples } from "../parts/type-script.js";
import { createScope, pagesAbout } from "../frame/scope.js";
import { baseBadges, featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

interface MethodPageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly toc: readonly TocView[];
  readonly flat: boolean;
  /** One a kind and side that has the name. */
  readonly methods: readonly MethodView[];
  /** The pages that are about the method, or the feature that adds it. */
  readonly pages: readonly Inline[];
  readonly others: readonly Inline[];
}

interface MethodView {
  readonly id: string;
  readonly heading: string;
  readonly badges: readonly BadgeView[];
  readonly summary: readonly Inline[];
  readonly description: readonly Inline[];
  readonly gate: Inline;
  readonly diagram: Diagram;
  /** The diagram in words. */
  readonly sequence: Inline;
  /** Params, and the result of a request. */
  readonly messages: readonly MessagePartView[];
  readonly examplesId: string;
  readonly examples: readonly ExampleView[];
  readonly errorsId: string;
  readonly errors: ErrorsView;
  readonly rulesId: string;
  readonly rules: readonly Inline[];
  readonly afterId: string;
  readonly after: readonly Inline[];
  readonly flowsId: string;
  readonly flows: readonly Inline[];
  readonly codeId: string;
  readonly code: readonly CodeTab[];
  readonly usedTypesId: string;
  readonly usedTypes: readonly Inline[];
}

interface MessagePartView {
  readonly id: string;
  readonly heading: "Params" | "Result";
  readonly type: Inline;
  readonly shape: ShapeView;
}

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
    flat: false,
    methods: views,
    pages: pagesAbout([name, ...methods.flatMap(({ feature }) => feature ?? [])], scope),
    others: methodInOtherProfiles(name, scope),
  };
  return { path, template: "method", view };
}

/** @param first the ids of the page's first method are without a prefix */
function methodView(method: Method, first: boolean, scope: PageScope): MethodView {
  const id = scope.id(method.kind);
  const prefix = first ? "" : `${id}-`;
  const { from, to } = DIRECTIONS[method.side];
  const gate = gateView(method.gate, scope);
  return {
    id,
    heading: `${KINDS[method.kind]}, ${from} to ${to}`,
    badges: [
      { label: inline(method.kind), tone: "kind" },
      { label: inline(`${from} → ${to}`), tone: "kind" },
      ...baseBadges(method, scope.site),
      ...featureBadges(method.feature, scope),
      gate.badge,
    ],
    summary: scope.prose(method.summary),
    description: scope.prose(method.description),
    gate: gate.sentence,
    diagram: sequenceDiagram(method, scope.id(`${prefix}diagram`)),
    sequence: sequenceSentence(method, scope),
    messages: [
      messagePart("Params", method.params, prefix, scope),
      ...(method.result === undefined ? [] : [messagePart("Result", method.result, prefix, scope)]),
    ],
    examplesId: scope.id(`${prefix}examples`),
    examples: exampleViews(method, scope),
    errorsId: scope.id(`${prefix}errors`),
    errors: errorsView(method, scope),
    rulesId: scope.id(`${prefix}rules`),
    rules: rulesOfMethod(method.name, scope),
    afterId: scope.id(`${prefix}after`),
    after: afterLines(method.name, scope),
    flowsId: scope.id(`${prefix}flows`),
    flows: flowLines(method.name, scope),
    codeId: scope.id(`${prefix}ts`),
    code: codeTabs(
      typescriptSamples(method, scope.site),
      ({ ofMethod }) => ofMethod(method),
      scope,
    ),
    usedTypesId: scope.id(`${prefix}used-types`),
    usedTypes: usedTypes(method, scope.site.definitions).map((name) =>
      inline(
        codeSpan(name, scope.toType(name)),
        featureMark(scope.site.definitions.get(name)!.feature, scope.site),
      ),
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

/** The next steps of both sides after the message. */
function afterLines(name: string, scope: PageScope): readonly Inline[] {
  const { docs, protocol } = scope.site;
  return (docs.after[name] ?? [])
    .filter((entry) => isOf(entry, protocol.version))
    .map(({ text }) => inline(...scope.prose(text)));
}

function flowLines(name: string, scope: PageScope): readonly Inline[] {
  const inLifecycle = lifecycleOf(scope.site)?.transitions.some(({ steps }) =>
    steps.some(({ method }) => method === name),
  );
  return [
    ...flowsOf(scope.site)
      .filter(({ steps }) => steps.some(({ method }) => method === name))
      .map(({ id, title }) => inline(textLink(title, scope.toPage(FLOWS_PATH, id)!))),
    ...(inLifecycle ? [inline(textLink("Session lifecycle", scope.toPage(LIFECYCLE_PATH)!))] : []),
  ];
}

function tocView(method: MethodView): TocView {
  const part = (text: string, id: string): Inline => inline(textLink(text, fragmentUrl(id)));
  return {
    link: part(method.heading, method.id),
    parts: [
      ...method.messages.map(({ heading, id }) => part(heading, id)),
      part("Examples", method.examplesId),
      part("Errors", method.errorsId),
      ...(method.rules.length > 0 ? [part("Rules", method.rulesId)] : []),
      ...(method.after.length > 0 ? [part("After this", method.afterId)] : []),
      ...(method.flows.length > 0 ? [part("Flows", method.flowsId)] : []),
      part("Code", method.codeId),
      part("Used types", method.usedTypesId),
    ],
  };
}
