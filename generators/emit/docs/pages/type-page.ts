import type { Definition } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import {
  codeSpan,
  inline,
  jsonBlock,
  type CodeBlock,
  type Inline,
} from "../../../output/markup.js";
import { fragmentUrl } from "../../../output/url.js";
import { typeInOtherProfiles } from "../facts/other-profiles.js";
import { kindName } from "../parts/kind-name.js";
import type { Use } from "../facts/type-uses.js";
import { partId, WITHIN } from "../facts/anchor.js";
import { importCode } from "../parts/type-script.js";
import { codeTabs, type CodeTab } from "../parts/code-tabs.js";
import { declaration } from "../parts/declaration.js";
import { shapeView, type ShapeView } from "../parts/shape-view.js";
import { typeExamples, type TypeExampleView } from "./type-examples.js";
import type { TocView } from "../parts/toc.js";
import { createScope, toUse } from "../frame/scope.js";
import { featureMark, featureBadges } from "../frame/badges.js";
import { frameView, type FrameView, type Page } from "../frame/frame.js";
import type { BadgeView } from "../parts/badge-view.js";
import type { PageScope, Site } from "../site-types.js";

interface TypePageView {
  readonly frame: FrameView;
  readonly name: string;
  readonly badges: readonly BadgeView[];
  readonly description: readonly Inline[];
  /** One sentence a method that sends it. */
  readonly roles: readonly Inline[];
  readonly area: string;
  readonly identifier: string;
  readonly heading: string;
  /** The variants of a large union in one list. */
  readonly toc: readonly TocView[];
  readonly flat: true;
  readonly shape: ShapeView;
  /** The examples that are not next to a variant. */
  readonly examples: readonly TypeExampleView[];
  /** Whether all examples are next to variants. */
  readonly placed: boolean;
  readonly usedBy: readonly UsesView[];
  readonly code: readonly CodeTab[];
  readonly others: readonly Inline[];
  readonly schema: CodeBlock;
}

interface UsesView {
  readonly title: string;
  readonly uses: readonly Inline[];
}

/** The page of a definition. */
export function typePage(definition: Definition, site: Site): Page {
  const { name, shape } = definition;
  const path = site.typePaths.get(name)!;
  const scope = createScope(site, path);
  const description = definition.description || `The type ${name}.`;
  const view: TypePageView = {
    frame: frameView(name, description, scope),
    name,
    badges: [
      { label: inline(kindName(shape)), tone: "kind" },
      ...(definition.envelope
        ? [{ label: inline("message envelope"), tone: "plain" as const }]
        : []),
      ...featureBadges(definition.feature, scope),
    ],
    description: scope.prose(description),
    roles: roles(definition, scope),
    area: site.protocol.areas.find((area) => area.name === definition.area)?.title ?? "",
    identifier: definition.identifier,
    heading: heading(shape),
    toc: variantToc(shape),
    flat: true,
    ...withExamples(shapeView(shape, { prefix: "", steps: [] }, scope), definition, scope),
    usedBy: usedBy(definition, scope),
    code: codeTabs(
      [
        { caption: "Import", code: importCode([definition.identifier], site) },
        { caption: "Declaration", code: declaration(name, scope) },
      ],
      ({ ofDefinition }) => ofDefinition(name),
      scope,
    ),
    others: typeInOtherProfiles(name, scope),
    schema: jsonBlock(site.protocol.schema.$defs?.[name] ?? {}),
  };
  return { path, template: "type", view };
}

/** Puts an example next to each variant with a tag; the other examples have a section of their own. */
function withExamples(
  view: ShapeView,
  definition: Definition,
  scope: PageScope,
): Pick<TypePageView, "shape" | "examples" | "placed"> {
  const all = typeExamples(definition, scope);
  const { shape } = definition;
  const placed = new Set<TypeExampleView>();
  const variants = view.variants.map((variant, index) => {
    const tag = shape.kind === "tagged" ? shape.variants[index]?.value : undefined;
    const example = all.find((one) => tag !== undefined && one.tag === tag);
    if (example !== undefined) placed.add(example);
    return { ...variant, example: example?.value };
  });
  const examples = all.filter((one) => !placed.has(one));
  return {
    shape: { ...view, variants },
    examples,
    placed: all.length > 0 && examples.length === 0,
  };
}

/** Unions with fewer variants have no list of them. */
const MANY_VARIANTS = 6;

function variantToc(shape: Shape): readonly TocView[] {
  if (shape.kind !== "tagged" || shape.variants.length < MANY_VARIANTS) return [];
  return shape.variants.map(({ value, feature }) => {
    const id = partId({ prefix: "", steps: [] }, { kind: "variant", name: value });
    // A plus sign marks additions; the variant names the feature.
    const sign = feature === undefined ? [] : [" +"];
    return { link: inline(codeSpan(value, fragmentUrl(id)), ...sign), parts: [] };
  });
}

function roles({ messages }: Definition, scope: PageScope): readonly Inline[] {
  return messages.map(({ method, kind, side, part }) =>
    inline(
      `${part === "params" ? "Params" : "Result"} of the ${kind} `,
      codeSpan(method, scope.toMethod(method)),
      `, which ${side === "protocol" ? "both sides handle" : `the ${side} handles`}.`,
    ),
  );
}

/** All references to the definition, grouped by kind. */
function usedBy({ name, messages }: Definition, scope: PageScope): readonly UsesView[] {
  const uses = scope.site.uses.get(name) ?? [];
  const references = (kind: "field" | "variant" | undefined): readonly Inline[] =>
    uses
      .filter(({ steps }) => steps.at(-1)?.kind === kind)
      .map((use) => {
        const { feature } = scope.site.definitions.get(use.owner)!;
        return inline(codeSpan(useText(use), toUse(use, scope)), featureMark(feature, scope.site));
      });
  const methods = [...new Set(messages.map(({ method }) => method))];
  const groups: readonly UsesView[] = [
    {
      title: "Methods",
      uses: methods.map((name) => {
        const { feature } = scope.site.protocol.methods.find((method) => method.name === name)!;
        return inline(codeSpan(name, scope.toMethod(name)), featureMark(feature, scope.site));
      }),
    },
    { title: "Properties", uses: references("field") },
    { title: "Variants", uses: references("variant") },
    { title: "Types", uses: references(undefined) },
  ];
  return groups.filter((group) => group.uses.length > 0);
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
