import type { Method } from "../../../model/protocol.js";
import { isOf } from "../../../schema/source/docs-source.js";
import type { MethodKind } from "../../../schema/source/sources.js";
import { codeSpan, inline, textLink, type CodeSpan, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { flowPath } from "../articles/flows-article.js";
import { LIFECYCLE_PATH } from "../articles/lifecycle-article.js";
import { rulesOfMethod, type RuleView } from "../articles/rules-article.js";
import { methodInOtherProfiles } from "../facts/other-profiles.js";
import { errorsView, type ErrorsView } from "../parts/error-view.js";
import { exampleViews, type ExampleView } from "../parts/example-view.js";
import { flowsOf } from "../facts/flow-messages.js";
import { gateLabel, gateSentence, isPlainGate } from "../parts/gate-view.js";
import { lifecycleOf } from "../facts/profile-lifecycle.js";
import { usedTypes } from "../facts/type-uses.js";
import { shapeToc, shapeView, type ShapeView } from "../parts/shape-view.js";
import { DIRECTIONS } from "../facts/directions.js";
import type { TocView } from "../parts/toc.js";
import { codeTabs } from "../parts/code-tabs.js";
import { facts, type FactView } from "../parts/fact-view.js";
import type { FigureView } from "../parts/figure.js";
import { typescriptSamples } from "../parts/type-script.js";
import { createScope, pagesAbout } from "../frame/scope.js";
import { featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

interface MethodPageView {
  readonly frame: FrameView;
  readonly name: string;
  /** One for each kind and side that has the name. */
  readonly methods: readonly MethodView[];
}

interface MethodView {
  readonly id: string;
  /** Empty for the only method of a name. */
  readonly heading: string;
  readonly signatureId: string;
  readonly from: string;
  readonly to: string;
  readonly kind: MethodKind;
  /** The types of the params and the result. */
  readonly types: Inline;
  readonly gate: Inline;
  readonly gateSentence: Inline;
  /** The gate as a sentence, where it is more than a capability. */
  readonly gateNote: Inline | undefined;
  readonly badges: readonly BadgeView[];
  readonly summary: readonly Inline[];
  readonly description: readonly Inline[];
  /** The contents of the page, in its first method. */
  readonly toc: readonly TocView[];
  /** Params, and the result of a request. */
  readonly messages: readonly MessagePartView[];
  readonly examplesId: string;
  readonly examples: readonly ExampleView[];
  readonly errorsId: string;
  readonly errors: ErrorsView;
  readonly rulesId: string;
  readonly rules: readonly RuleView[];
  readonly afterId: string;
  readonly after: readonly Inline[];
  readonly codeId: string;
  readonly code: FigureView;
  readonly relatedId: string;
  readonly facts: readonly FactView[];
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
  const views = methods.map((method, index) =>
    methodView(method, { isFirst: index === 0, isOnly: methods.length === 1 }, scope),
  );
  const [first, ...others] = views as [MethodView, ...MethodView[]];
  const last = views.at(-1)!;
  const facts = [...last.facts, ...pageFacts(name, methods, scope)];
  const withToc = { ...first, toc: views.flatMap((view) => tocViews(view)) };
  const view: MethodPageView = {
    frame: frameView(name, methods[0]!.summary, scope),
    name,
    methods: [withToc, ...others].map((one, index) =>
      index === others.length ? { ...one, facts } : one,
    ),
  };
  return { path, template: "method", view };
}

/** What is about all methods of a name. */
function pageFacts(
  name: string,
  methods: readonly Method[],
  scope: PageScope,
): readonly FactView[] {
  const pages = pagesAbout([name, ...methods.flatMap(({ feature }) => feature ?? [])], scope);
  return facts([
    { id: "pages", title: "Guides", items: pages, run: false },
    {
      id: "other-profiles",
      title: "In other profiles",
      items: methodInOtherProfiles(name, scope),
      run: false,
    },
  ]);
}

/** @param place the ids of the page's first method are without a prefix; the only one needs no heading */
function methodView(
  method: Method,
  place: { readonly isFirst: boolean; readonly isOnly: boolean },
  scope: PageScope,
): MethodView {
  const { name, kind, side, params, result, gate } = method;
  const id = scope.id(kind);
  const prefix = place.isFirst ? "" : `${id}-`;
  const { from, to } = DIRECTIONS[side];
  const typeOf = (type: string): CodeSpan => codeSpan(type, scope.toType(type));
  const sentence = gateSentence(gate, scope);
  const { definitions } = scope.site;
  return {
    id,
    heading: place.isOnly ? "" : `${KINDS[kind]}, ${from} to ${to}`,
    // Its name is from the time when the signature was drawn.
    signatureId: scope.id(`${prefix}diagram`),
    from,
    to,
    kind,
    types: inline(typeOf(params), ...(result === undefined ? [] : [" → ", typeOf(result)])),
    gate: gateLabel(gate, scope),
    gateSentence: sentence,
    gateNote: isPlainGate(gate) ? undefined : sentence,
    badges: featureBadges(method.feature, scope),
    summary: scope.prose(method.summary),
    description: scope.prose(method.description),
    toc: [],
    messages: [
      messagePart("Params", params, prefix, scope),
      ...(result === undefined ? [] : [messagePart("Result", result, prefix, scope)]),
    ],
    examplesId: scope.id(`${prefix}examples`),
    examples: exampleViews(method, scope),
    errorsId: scope.id(`${prefix}errors`),
    errors: errorsView(method, scope),
    rulesId: scope.id(`${prefix}rules`),
    rules: rulesOfMethod(name, scope),
    afterId: scope.id(`${prefix}after`),
    after: afterLines(name, scope),
    codeId: scope.id(`${prefix}ts`),
    code: codeTabs(
      `${prefix}code`,
      typescriptSamples(method, scope.site),
      ({ ofMethod }) => ofMethod(method),
      scope,
    ),
    relatedId: scope.id(`${prefix}related`),
    facts: facts([
      {
        id: scope.id(`${prefix}flows`),
        title: "Flows",
        items: flowLines(name, scope),
        run: true,
      },
      {
        id: scope.id(`${prefix}used-types`),
        title: "Types inside it",
        items: usedTypes(method, definitions).map((type) =>
          inline(typeOf(type), featureMark(definitions.get(type)!.feature, scope.site)),
        ),
        run: true,
      },
    ]),
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
      .map(({ id, title }) => inline(textLink(title, scope.toPage(flowPath(id))!))),
    ...(inLifecycle ? [inline(textLink("Session lifecycle", scope.toPage(LIFECYCLE_PATH)!))] : []),
  ];
}

function tocViews(method: MethodView): readonly TocView[] {
  const part = (text: string, id: string, parts: readonly Inline[] = []): TocView => ({
    link: inline(textLink(text, fragmentUrl(id))),
    parts,
  });
  return [
    ...(method.heading === "" ? [] : [part(KINDS[method.kind], method.id)]),
    ...method.messages.map(({ heading, id, shape }) => part(heading, id, shapeToc(shape))),
    part("Examples", method.examplesId),
    part("Errors", method.errorsId),
    ...(method.rules.length > 0 ? [part("Rules", method.rulesId)] : []),
    part("Code", method.codeId),
    ...(method.after.length > 0 ? [part("After this", method.afterId)] : []),
    part("Related", method.relatedId),
  ];
}
