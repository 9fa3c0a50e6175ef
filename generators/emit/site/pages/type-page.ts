import { ownFields } from "../../../model/map-shape.js";
import type { Definition } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import { codeSpan, inline, jsonBlock, textLink } from "../../../output/markup.js";
import { typeInOtherProfiles } from "../changes/other-profiles.js";
import { countedParts, kindName, partsTitle } from "../components/shape-words.js";
import { alternativesOf } from "../model/shape-parts.js";
import type { Use } from "../model/type-uses.js";
import { WITHIN } from "../model/anchor.js";
import {
  bullets,
  facts,
  heading,
  paragraph,
  paragraphs,
  type Block,
  type FactView,
} from "../blocks/block.js";
import { codeTabs } from "../components/code-tabs.js";
import { sample, type FigureView } from "../blocks/figure.js";
import { shapeBlocks } from "../components/shape-blocks.js";
import { typeExamples } from "./type-examples.js";
import { createPageScope, toUse } from "../components/scope.js";
import { featureMark, featureBadges } from "../components/badges.js";
import { frameView, type Page } from "../layout/frame.js";
import type { PageScope, Site } from "../model/site.js";
import { articleView } from "./article-page.js";

/** The page of a definition. */
export function typePage(definition: Definition, site: Site): Page {
  const { name, shape, feature, envelope, area, messages } = definition;
  const path = site.typePaths.get(name)!;
  const scope = createPageScope(site, path);
  const description = definition.description || `The type ${name}.`;
  const [lead = inline(), ...rest] = scope.prose(description);
  const kind = kindName(shape);
  const found = site.protocol.areas.find((one) => one.name === area)?.title;
  const signature = {
    way: inline(envelope ? `message envelope, ${kind}` : kind),
    items: [
      ...[count(shape), found ?? ""].filter((text) => text !== "").map((text) => inline(text)),
      ...messages.map(({ method, part }) =>
        inline(`${part} of `, codeSpan(method, scope.toMethod(method))),
      ),
    ],
    badges: featureBadges(feature, scope),
  };
  const others = typeInOtherProfiles(name, scope);
  const blocks = [
    ...paragraphs(rest),
    heading("ts", inline("Declaration"), { isQuiet: true }),
    { figure: { ...code(definition, scope), id: "schema" } },
    ...contents(definition, scope),
    heading("used-by", inline("Used by")),
    ...usedBy(definition, scope),
    ...(others.length === 0
      ? []
      : [heading("other-profiles", inline("In other profiles")), ...bullets(others)]),
  ];
  const view = articleView(inline(codeSpan(name)), lead, blocks, { signature });
  const frame = frameView(name, description, scope);
  return { path, template: "article", view: { ...view, frame } };
}

function code({ name, shape }: Definition, scope: PageScope): FigureView {
  const schema = jsonBlock(scope.site.protocol.schema.$defs?.[name] ?? {});
  return codeTabs("code", ({ ofDefinition }) => ofDefinition(name), scope, {
    properties: ownFields(shape).map((field) => field.name),
    more: [{ name: "Schema", samples: [sample(schema, inline("JSON Schema"))] }],
  });
}

/** The parts of a type, an example next to each variant with a tag, and the other examples. */
function contents(definition: Definition, scope: PageScope): readonly Block[] {
  const { shape } = definition;
  const all = typeExamples(definition, scope);
  const tags = new Set(shape.kind === "tagged" ? shape.variants.map(({ value }) => value) : []);
  const placed = new Map<string, FigureView>();
  const examples = all.flatMap(({ tag, figure }) => {
    if (tag === undefined || !tags.has(tag) || placed.has(tag)) return [figure];
    placed.set(tag, figure);
    return [];
  });
  return [
    heading("definition", inline(partsTitle(shape))),
    ...unlisted(shape, scope),
    ...shapeBlocks(shape, { anchor: { prefix: "", steps: [] }, scope, examples: placed }),
    ...(all.length === 0 ? [] : [heading("examples", inline("Examples"))]),
    ...(all.length > 0 && examples.length === 0
      ? [paragraph(inline("Each example is beside its variant."), "small")]
      : []),
    ...examples.map((figure) => ({ figure })),
  ];
}

/** Leads to what receivers do with the tags and values that a type does not list. */
function unlisted({ kind }: Shape, scope: PageScope): readonly Block[] {
  const link = scope.toPage("naming.html", "unknown-tags-and-values");
  if (link === undefined || (kind !== "tagged" && kind !== "enum")) return [];
  const others = kind === "tagged" ? "tags" : "values";
  const name = textLink("Unknown tags and values", link);
  return [paragraph(inline(`For ${others} that are not listed, see `, name, "."), "small")];
}

/** `10 properties, 1 required`, without those that are reserved. */
function count(shape: Shape): string {
  if (shape.kind !== "object") return countedParts(shape, alternativesOf(shape).length);
  const fields = shape.fields.filter(({ name }) => name !== "_meta");
  const required = fields.filter((field) => field.required).length;
  return fields.length === 0 ? "" : `${countedParts(shape, fields.length)}, ${required} required`;
}

/** All references to the definition, grouped by kind. */
function usedBy({ name, messages }: Definition, scope: PageScope): readonly Block[] {
  const uses = scope.site.uses.get(name) ?? [];
  const references = (title: string, kind: "field" | "variant" | undefined): FactView => ({
    title,
    items: uses
      .filter(({ steps }) => steps.at(-1)?.kind === kind)
      .map((use) => {
        const { feature } = scope.site.definitions.get(use.owner)!;
        return inline(codeSpan(useText(use), toUse(use, scope)), featureMark(feature, scope.site));
      }),
    run: true,
  });
  const methods = [...new Set(messages.map(({ method }) => method))].map((method) => {
    const { feature } = scope.site.protocol.methods.find((one) => one.name === method)!;
    return inline(codeSpan(method, scope.toMethod(method)), featureMark(feature, scope.site));
  });
  const all = facts([
    { title: "Methods", items: methods, run: true },
    references("Properties", "field"),
    references("Variants", "variant"),
    references("Types", undefined),
  ]);
  return all.length > 0 ? all : [paragraph(inline("Nothing refers to this type."))];
}

/** `Type.property`, or `Type » variant`. */
function useText({ owner, steps }: Use): string {
  return (
    owner + steps.map(({ kind, name }) => `${kind === "field" ? "." : WITHIN}${name}`).join("")
  );
}
