import type { Definition } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import { codeSpan, inline, jsonBlock, textLink, type Inline } from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { typeInOtherProfiles } from "../facts/other-profiles.js";
import { kindName } from "../parts/kind-name.js";
import type { Use } from "../facts/type-uses.js";
import { WITHIN } from "../facts/anchor.js";
import { importCode } from "../parts/type-script.js";
import { codeTabs } from "../parts/code-tabs.js";
import { declaration } from "../parts/declaration.js";
import { facts, type FactView } from "../parts/fact-view.js";
import { sample, type FigureView } from "../parts/figure.js";
import { shapeToc, shapeView, type ShapeView } from "../parts/shape-view.js";
import { typeExamples, type TypeExample } from "./type-examples.js";
import type { TocView } from "../parts/toc.js";
import { createScope, toUse } from "../frame/scope.js";
import { featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

interface TypePageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly kind: string;
  /** How many parts it has; empty for a type without parts. */
  readonly count: string;
  readonly area: string;
  /** The messages whose params or result it is. */
  readonly messages: readonly Inline[];
  readonly badges: readonly BadgeView[];
  /** The first paragraph of its description. */
  readonly lead: Inline;
  readonly description: readonly Inline[];
  readonly toc: readonly TocView[];
  readonly code: FigureView;
  readonly heading: string;
  readonly shape: ShapeView;
  /** The examples that are not next to a variant. */
  readonly examples: readonly FigureView[];
  /** Whether all examples are next to variants. */
  readonly placed: boolean;
  /** All references to it. */
  readonly facts: readonly FactView[];
  readonly others: readonly Inline[];
}

/** The page of a definition. */
export function typePage(definition: Definition, site: Site): Page {
  const { name, shape, identifier, feature, envelope } = definition;
  const path = site.typePaths.get(name)!;
  const scope = createScope(site, path);
  const description = definition.description || `The type ${name}.`;
  const [lead = inline(), ...rest] = scope.prose(description);
  const examined = withExamples(
    shapeView(shape, { prefix: "", steps: [] }, scope),
    definition,
    scope,
  );
  const others = typeInOtherProfiles(name, scope);
  const schema = sample(jsonBlock(site.protocol.schema.$defs?.[name] ?? {}), inline("JSON Schema"));
  const view: TypePageView = {
    frame: frameView(name, description, scope),
    name,
    kind: envelope ? `message envelope, ${kindName(shape)}` : kindName(shape),
    count: count(shape),
    area: site.protocol.areas.find((area) => area.name === definition.area)?.title ?? "",
    messages: definition.messages.map(({ method, part }) =>
      inline(`${part} of `, codeSpan(method, scope.toMethod(method))),
    ),
    badges: featureBadges(feature, scope),
    lead,
    description: rest,
    toc: toc(heading(shape), examined, others.length > 0),
    code: codeTabs(
      "code",
      [
        { caption: "Import", code: importCode([identifier], site) },
        { caption: "Declaration", code: declaration(name, scope) },
      ],
      ({ ofDefinition }) => ofDefinition(name),
      scope,
      [{ name: "Schema", samples: [schema] }],
    ),
    heading: heading(shape),
    ...examined,
    facts: usedBy(definition, scope),
    others,
  };
  return { path, template: "type", view };
}

type Examined = Pick<TypePageView, "shape" | "examples" | "placed">;

function toc(title: string, { shape, examples }: Examined, hasOthers: boolean): readonly TocView[] {
  const part = (text: string, id: string, parts: readonly Inline[] = []): TocView => ({
    link: inline(textLink(text, fragmentUrl(id))),
    parts,
  });
  return [
    part(title, "definition", shapeToc(shape)),
    ...(examples.length > 0 ? [part("Examples", "examples")] : []),
    part("Used by", "used-by"),
    ...(hasOthers ? [part("In other profiles", "other-profiles")] : []),
  ];
}

/** `10 properties, 1 required`, without those that are reserved. */
function count(shape: Shape): string {
  const several = (number: number, one: string, many: string): string =>
    `${number} ${number === 1 ? one : many}`;
  switch (shape.kind) {
    case "object": {
      const fields = shape.fields.filter(({ name }) => name !== "_meta");
      const required = fields.filter((field) => field.required).length;
      if (fields.length === 0) return "";
      return `${several(fields.length, "property", "properties")}, ${required} required`;
    }
    case "tagged":
    case "union":
      return several(shape.variants.length, "variant", "variants");
    case "enum":
      return several(shape.values.length, "value", "values");
    default:
      return "";
  }
}

/** Puts an example next to each variant with a tag; the other examples have a section of their own. */
function withExamples(view: ShapeView, definition: Definition, scope: PageScope): Examined {
  const all = typeExamples(definition, scope);
  const { shape } = definition;
  const placed = new Set<TypeExample>();
  const variants = view.variants.map((variant, index) => {
    const tag = shape.kind === "tagged" ? shape.variants[index]?.value : undefined;
    const example = all.find((one) => tag !== undefined && one.tag === tag);
    if (example !== undefined) placed.add(example);
    return { ...variant, example: example?.figure };
  });
  const examples = all.filter((one) => !placed.has(one)).map((one) => one.figure);
  return {
    shape: { ...view, variants },
    examples,
    placed: all.length > 0 && examples.length === 0,
  };
}

/** All references to the definition, grouped by kind. */
function usedBy({ name, messages }: Definition, scope: PageScope): readonly FactView[] {
  const uses = scope.site.uses.get(name) ?? [];
  const references = (title: string, kind: "field" | "variant" | undefined): FactView => ({
    id: "",
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
  return facts([
    { id: "", title: "Methods", items: methods, run: true },
    references("Properties", "field"),
    references("Variants", "variant"),
    references("Types", undefined),
  ]);
}

/** `Type.property`, or `Type » variant`. */
function useText({ owner, steps }: Use): string {
  return (
    owner + steps.map(({ kind, name }) => `${kind === "field" ? "." : WITHIN}${name}`).join("")
  );
}

function heading(shape: Shape): string {
  switch (shape.kind) {
    case "object":
      return "Properties";
    case "tagged":
    case "union":
      return "Variants";
    case "enum":
      return "Values";
    default:
      return "Value";
  }
}
