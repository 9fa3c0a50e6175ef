import type { Method } from "../../../model/protocol.js";
import { isOf } from "../../../schema/source/docs-source.js";
import {
  codeSpan,
  inline,
  phrase,
  textLink,
  type CodeSpan,
  type Inline,
} from "../../../output/markup.js";
import { flowPath } from "../articles/flows-article.js";
import { LIFECYCLE_PATH } from "../articles/lifecycle-article.js";
import { rulesOfMethod } from "../articles/rules-article.js";
import { methodInOtherProfiles } from "../changes/other-profiles.js";
import { errorBlocks } from "../components/error-blocks.js";
import { exampleBlocks } from "../components/example-blocks.js";
import { flowsOf } from "../model/flow-messages.js";
import { gateLabel, gateSentence, isPlainGate } from "../components/gate-view.js";
import { lifecycleOf } from "../model/profile-lifecycle.js";
import { reachable } from "../../../model/visit-shape.js";
import { DIRECTIONS } from "../model/directions.js";
import {
  bullets,
  facts,
  heading,
  paragraph,
  paragraphs,
  rows,
  type Block,
  type FactView,
  type SignatureView,
} from "../blocks/block.js";
import { codeTabs } from "../components/code-tabs.js";
import { shapeBlocks } from "../components/shape-blocks.js";
import { createPageScope, pagesAbout } from "../components/scope.js";
import { featureMark, featureBadges } from "../components/badges.js";
import { frameView, type Page } from "../layout/frame.js";
import type { PageScope, Site } from "../model/site.js";
import { articleView, type ArticleView } from "./article-page.js";

/** A method, and its place among those of its name. */
interface Placed {
  readonly method: Method;
  /** The id of the method, and the beginning of all other ids: empty for the first one. */
  readonly id: string;
  readonly prefix: string;
}

/** The page of all methods of one name. */
export function methodPage(name: string, site: Site): Page {
  const path = site.methodPaths.get(name)!;
  const scope = createPageScope(site, path);
  // Requests first, so that their ids stay when a notification of the same name is added.
  const methods = (["request", "notification"] as const).flatMap((kind) =>
    site.protocol.methods.filter((method) => method.name === name && method.kind === kind),
  );
  const all = methods.map((method, index): Placed => {
    const id = scope.id(method.kind);
    return { method, id, prefix: index === 0 ? "" : `${id}-` };
  });
  const [first] = all as [Placed];
  const title = inline(codeSpan(name));
  const frame = frameView(name, first.method.summary, scope);
  const parts = all.map((placed) =>
    methodBlocks(placed, placed === all.at(-1) ? pageFacts(all, scope) : [], scope),
  );
  const page = (view: ArticleView): Page => {
    return { path, template: "article", view: { ...view, frame } };
  };
  if (all.length === 1) {
    const [lead = inline()] = scope.prose(first.method.summary);
    const about = { nameId: first.id, signature: signatureOf(first, scope) };
    return page(articleView(title, lead, parts.flat(), about));
  }
  const blocks = all.flatMap((placed, index) => {
    const { kind, side, summary } = placed.method;
    const { from, to } = DIRECTIONS[side];
    return [
      heading(placed.id, inline(`${kind[0]!.toUpperCase()}${kind.slice(1)}, ${from} to ${to}`)),
      { signature: signatureOf(placed, scope) },
      ...paragraphs(scope.prose(summary), "lead"),
      ...parts[index]!,
    ];
  });
  return page(articleView(title, inline(), blocks));
}

function signatureOf({ method, prefix }: Placed, scope: PageScope): SignatureView {
  const { kind, side, params, result, gate, feature } = method;
  const { from, to } = DIRECTIONS[side];
  const typeOf = (type: string): CodeSpan => codeSpan(type, scope.toType(type));
  return {
    // Its name is from the time when the signature was drawn.
    id: scope.id(`${prefix}diagram`),
    way: inline(`${from} → ${to}`),
    items: [
      inline(kind),
      inline(typeOf(params), ...(result === undefined ? [] : [" → ", typeOf(result)])),
      gateLabel(gate, scope),
    ],
    badges: featureBadges(feature, scope),
  };
}

/** What is about all methods of a name, at the end of the last one. */
function pageFacts(all: readonly Placed[], scope: PageScope): readonly FactView[] {
  const { name } = all[0]!.method;
  const names = [name, ...all.flatMap(({ method }) => method.feature ?? [])];
  const others = methodInOtherProfiles(name, scope);
  const former = scope.site.docs.formerNames
    .filter(({ to }) => to === name)
    .map((one) => inline(codeSpan(one.name), ": ", ...scope.prose(one.text)));
  return [
    { id: "former-names", title: "Former names", items: former },
    { id: "pages", title: "Guides", items: pagesAbout(names, scope) },
    { id: "other-profiles", title: "In other profiles", items: others },
  ];
}

function methodBlocks(
  { method, prefix }: Placed,
  more: readonly FactView[],
  scope: PageScope,
): readonly Block[] {
  const { name, params, result, gate, description } = method;
  const { definitionOf } = scope.site;
  const part = (id: string, title: string, blocks: readonly Block[]): readonly Block[] =>
    blocks.length === 0 ? [] : [heading(scope.id(prefix + id), inline(title)), ...blocks];
  const code = codeTabs(`${prefix}code`, ({ ofMethod }) => ofMethod(method), scope);
  const used = reachable(
    [params, ...(result === undefined ? [] : [result])],
    (type) => definitionOf(type).shape,
  );
  const types = [...used].sort().map((type) => {
    const mark = featureMark(definitionOf(type).feature, scope.site);
    return inline(codeSpan(type, scope.toType(type)), mark);
  });
  return [
    ...paragraphs(scope.prose(description)),
    ...(isPlainGate(gate) ? [] : [paragraph(gateSentence(gate, scope), "small")]),
    ...messageBlocks("Params", params, prefix, scope),
    ...(result === undefined ? [] : messageBlocks("Result", result, prefix, scope)),
    ...part("examples", "Examples", exampleBlocks(method, scope)),
    ...part("errors", "Errors", errorBlocks(method, scope)),
    ...part("rules", "Rules", rows(rulesOfMethod(name, scope))),
    ...part("ts", "Code", [{ figure: code }, ...wholeProgram(scope)]),
    ...part("after", "After this", bullets(afterLines(name, scope))),
    heading(scope.id(`${prefix}related`), inline("Related")),
    ...facts([
      { id: scope.id(`${prefix}flows`), title: "Flows", items: flowLines(name, scope), run: true },
      { id: scope.id(`${prefix}used-types`), title: "Types inside it", items: types, run: true },
      ...more,
    ]),
  ];
}

function messageBlocks(
  title: "Params" | "Result",
  name: string,
  prefix: string,
  scope: PageScope,
): readonly Block[] {
  const id = scope.id(`${prefix}${title.toLowerCase()}`);
  const { shape } = scope.site.definitions.get(name)!;
  return [
    heading(id, inline(title), { aside: inline(codeSpan(name, scope.toType(name))) }),
    ...shapeBlocks(shape, { anchor: { prefix: `${id}-`, steps: [] }, scope }),
  ];
}

/** Where the lines of code are part of a program. */
function wholeProgram(scope: PageScope): readonly Block[] {
  const page = scope.toPage("getting-started.html");
  if (page === undefined) return [];
  const link = textLink("Getting started", page);
  const text = phrase`A whole program: ${link}. The types of ${codeSpan("received")} have room for unknown values.`;
  return [paragraph(text, "small")];
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
