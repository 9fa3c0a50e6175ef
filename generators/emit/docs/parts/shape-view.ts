import type { Step } from "../../../model/map-shape.js";
import type {
  Field,
  OtherVariant,
  Shape,
  TaggedShape,
  TaggedVariant,
  UnionShape,
  UnionVariant,
} from "../../../model/shape.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import { childView, type ChildView } from "./child-view.js";
import { fieldList, type FieldList } from "./field-view.js";
import { featureBadges } from "../frame/badges.js";
import type { BadgeView } from "./badge-view.js";
import type { FigureView } from "./figure.js";
import { needs } from "./gate-view.js";
import { constraintNotes, gateNotes } from "./notes.js";
import { innerAnchor, partId, WITHIN, type Anchor } from "../facts/anchor.js";
import { typeCode, valueText } from "./type-code.js";
import { findDetail } from "../facts/find-detail.js";
import { valueTable, type ValueTable } from "./value-view.js";
import { textOf } from "./block.js";
import { fragmentUrl } from "../../../output/url.js";
import type { PageScope } from "../site-types.js";

/** The content of a definition, or of a shape without a definition. */
export interface ShapeView {
  /** Sentences on the whole. */
  readonly notes: readonly Inline[];
  readonly fields: FieldList | undefined;
  readonly variants: readonly VariantView[];
  readonly values: ValueTable | undefined;
  /** Properties with inline types. */
  readonly nested: readonly NestedView[];
}

export interface NestedView {
  readonly caption: Inline;
  readonly shape: ShapeView;
}

/** One alternative of a union. */
export interface VariantView {
  readonly id: string;
  /** The names of the variants around it, for formats without indentation. */
  readonly within: string;
  /** The tag of the variant, or its name. */
  readonly label: Inline;
  /** The type of the remaining content, when that is a definition. */
  readonly type: Inline | undefined;
  readonly badges: readonly BadgeView[];
  readonly description: readonly Inline[];
  readonly notes: readonly Inline[];
  /** The remaining content, when that is inline. */
  readonly body: ShapeView | undefined;
  /** The capability that it needs. */
  readonly needs: Inline | undefined;
  /** What its type consists of. */
  readonly child: ChildView | undefined;
  readonly example: FigureView | undefined;
}

/** Returns links to the properties and the variants of a shape. */
export function shapeToc({ fields, variants }: ShapeView): readonly Inline[] {
  const rows = fields?.rows.filter(({ folded }) => folded === undefined) ?? [];
  return [
    ...rows.map(({ name, id }) => inline(textLink(textOf(name.pieces), fragmentUrl(id)))),
    ...variants.map(({ label, id }) => inline(textLink(textOf(label.pieces), fragmentUrl(id)))),
  ];
}

/** Builds the view of a shape and of all inline shapes in it. */
export function shapeView(shape: Shape, anchor: Anchor, scope: PageScope): ShapeView {
  const view = (parts: Partial<ShapeView>): ShapeView => ({
    notes: [],
    fields: undefined,
    variants: [],
    values: undefined,
    nested: [],
    ...parts,
  });
  switch (shape.kind) {
    case "any":
      return view({ notes: [inline("Any JSON value.")] });
    case "object":
      if (shape.fields.length === 0)
        return view({ notes: [inline("An object without properties.")] });
      return view(withFields(shape.fields, "object", anchor, scope));
    case "tagged":
      return view(tagged(shape, anchor, scope));
    case "union":
      return view(union(shape, anchor, scope));
    case "enum":
      return view({
        notes: [
          inline(
            shape.open
              ? `One of these values, or any other ${shape.type}.`
              : "One of these values; any other is invalid.",
          ),
          ...constraintNotes(shape),
        ],
        values: valueTable(shape, anchor, scope),
      });
    case "null":
    case "scalar":
    case "reference":
    case "list":
    case "map": {
      const detail = findDetail(shape);
      return view({
        notes: [
          inline("A value of the type ", typeCode({ shape, nullable: false }, scope), "."),
          ...constraintNotes(shape),
        ],
        nested:
          detail === undefined
            ? []
            : [{ caption: inline("Each item"), shape: shapeView(detail, anchor, scope) }],
      });
    }
    default:
      return shape satisfies never;
  }
}

function withFields(
  fields: readonly Field[],
  owner: "object" | "union",
  anchor: Anchor,
  scope: PageScope,
): Partial<ShapeView> {
  if (fields.length === 0) return {};
  return {
    fields: fieldList(fields, owner, anchor, scope),
    nested: fields.flatMap((field) => {
      const detail = findDetail(field.shape);
      if (detail === undefined) return [];
      const at = innerAnchor(anchor, { kind: "field", name: field.name });
      return [
        { caption: inline("Inside ", codeSpan(field.name)), shape: shapeView(detail, at, scope) },
      ];
    }),
  };
}

function tagged(shape: TaggedShape, anchor: Anchor, scope: PageScope): Partial<ShapeView> {
  const { tag, tagField, shared } = shape;
  const others = [
    otherView(shape.open, inline("any other ", codeSpan(tag)), anchor, scope),
    otherView(shape.absent, inline("no ", codeSpan(tag), ", or null"), anchor, scope),
    otherView(shape.fallback, inline("no listed ", codeSpan(tag)), anchor, scope),
  ];
  const closed = !shape.open && !shape.fallback;
  const fields = [...(tagField === undefined ? [] : [tagField]), ...shared];
  return {
    notes: [
      inline(
        "The property ",
        codeSpan(tag),
        " selects the variant",
        closed ? "; a value that is not listed is invalid." : ".",
      ),
    ],
    ...withFields(fields, "union", anchor, scope),
    variants: [
      ...shape.variants.map((variant) => taggedView(variant, tag, anchor, scope)),
      ...others.flatMap((view) => (view === undefined ? [] : [view])),
    ],
  };
}

function union(shape: UnionShape, anchor: Anchor, scope: PageScope): Partial<ShapeView> {
  const meant = shape.exclusive
    ? "Exactly one of the variants must fit."
    : "The first variant that fits applies.";
  return {
    notes: shape.variants.length > 1 ? [inline(meant)] : [],
    ...withFields(shape.shared, "union", anchor, scope),
    variants: shape.variants.map((variant) => unionView(variant, anchor, scope)),
  };
}

/** A variant with a tag of its own. */
function taggedView(
  variant: TaggedVariant,
  tag: string,
  anchor: Anchor,
  scope: PageScope,
): VariantView {
  const step: Step = { kind: "variant", name: variant.value };
  return {
    id: scope.id(partId(anchor, step)),
    within: within(anchor),
    label: inline(codeSpan(`${tag}: ${valueText(variant.value)}`)),
    ...bodyView(variant.body, innerAnchor(anchor, step), scope),
    needs: needs(variant.gate, scope),
    example: undefined,
    badges: featureBadges(variant.feature, scope),
    description: scope.prose(variant.description),
    notes: gateNotes(variant.gate, scope),
  };
}

/** The variant of a tagged union for values without a listed tag. */
function otherView(
  variant: OtherVariant | undefined,
  when: Inline,
  anchor: Anchor,
  scope: PageScope,
): VariantView | undefined {
  if (variant === undefined) return undefined;
  const step: Step = { kind: "variant", name: variant.title };
  return {
    id: scope.id(partId(anchor, step)),
    within: within(anchor),
    label: inline(when, " (", variant.title, ")"),
    ...bodyView(variant.body, innerAnchor(anchor, step), scope),
    needs: undefined,
    example: undefined,
    badges: [],
    description: scope.prose(variant.description),
    notes: [],
  };
}

/** A variant without a tag. */
function unionView(variant: UnionVariant, anchor: Anchor, scope: PageScope): VariantView {
  const step: Step = { kind: "variant", name: variant.name };
  const detail = findDetail(variant.slot.shape);
  return {
    id: scope.id(partId(anchor, step)),
    within: within(anchor),
    label: inline(variant.name),
    type: detail?.kind === "object" ? undefined : inline(typeCode(variant.slot, scope)),
    body: detail && shapeView(detail, innerAnchor(anchor, step), scope),
    child: childView(variant.slot.shape, {}, scope),
    needs: undefined,
    example: undefined,
    badges: featureBadges(variant.feature, scope),
    description: scope.prose(variant.description),
    notes: constraintNotes(variant.slot.shape),
  };
}

/** The content of a variant: a link to a definition, or the inline content. */
function bodyView(
  body: Shape,
  anchor: Anchor,
  scope: PageScope,
): Pick<VariantView, "type" | "body" | "child"> {
  if (body.kind === "reference") {
    const type = inline(typeCode({ shape: body, nullable: false }, scope));
    return { type, body: undefined, child: childView(body, {}, scope) };
  }
  const empty = body.kind === "object" && body.fields.length === 0;
  const view = empty ? undefined : shapeView(body, anchor, scope);
  return { type: undefined, body: view, child: undefined };
}

function within({ steps }: Anchor): string {
  return steps
    .filter(({ kind }) => kind === "variant")
    .map(({ name }) => `${name}${WITHIN}`)
    .join("");
}
