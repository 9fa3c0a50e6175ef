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
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { fieldTable, type FieldTable } from "./field-view.js";
import { featureBadges } from "../frame/badges.js";
import type { BadgeView } from "./badge-view.js";
import { gateSentence } from "./gate-view.js";
import { constraintNotes } from "./notes.js";
import { inside, partId, WITHIN, type Place } from "../facts/anchor.js";
import { findDetail, typeCode, valueText } from "./type-code.js";
import { valueTable, type ValueTable } from "./value-view.js";
import type { PageScope } from "../site-types.js";

/** The inside of a definition, or of a place that has no definition of its own. */
export interface ShapeView {
  /** Sentences on the whole. */
  readonly notes: readonly Inline[];
  readonly fields: FieldTable | undefined;
  readonly variants: readonly VariantView[];
  readonly values: ValueTable | undefined;
  /** Properties whose inside is written in place. */
  readonly nested: readonly NestedView[];
}

export interface NestedView {
  readonly caption: Inline;
  readonly shape: ShapeView;
}

/** One alternative of a union. */
export interface VariantView {
  readonly id: string;
  /** The names of the variants it stands in, for forms that cannot indent it. */
  readonly within: string;
  /** What tells it apart. */
  readonly label: Inline;
  /** The type that holds the rest of it, when that is one of its own. */
  readonly type: Inline | undefined;
  readonly badges: readonly BadgeView[];
  readonly description: readonly Inline[];
  readonly notes: readonly Inline[];
  /** The rest of it, when that is written in place. */
  readonly body: ShapeView | undefined;
}

/** Builds the view of a shape and of everything written inside it. */
export function shapeView(shape: Shape, place: Place, scope: PageScope): ShapeView {
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
        return view({ notes: [inline("An object without properties of its own.")] });
      return view(withFields(shape.fields, "object", place, scope));
    case "tagged":
      return view(tagged(shape, place, scope));
    case "union":
      return view(union(shape, place, scope));
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
        values: valueTable(shape, place, scope),
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
            : [{ caption: inline("Each item"), shape: shapeView(detail, place, scope) }],
      });
    }
    default:
      return shape satisfies never;
  }
}

function withFields(
  fields: readonly Field[],
  owner: "object" | "union",
  place: Place,
  scope: PageScope,
): Partial<ShapeView> {
  if (fields.length === 0) return {};
  return {
    fields: fieldTable(fields, owner, place, scope),
    nested: fields.flatMap((field) => {
      const detail = findDetail(field.shape);
      if (detail === undefined) return [];
      const at = inside(place, { kind: "field", name: field.name });
      return [
        { caption: inline("Inside ", codeSpan(field.name)), shape: shapeView(detail, at, scope) },
      ];
    }),
  };
}

function tagged(shape: TaggedShape, place: Place, scope: PageScope): Partial<ShapeView> {
  const { tag, tagField, shared } = shape;
  const others = [
    otherView(shape.open, inline("any other ", codeSpan(tag)), place, scope),
    otherView(shape.absent, inline("no ", codeSpan(tag), ", or null"), place, scope),
    otherView(shape.fallback, inline("no listed ", codeSpan(tag)), place, scope),
  ];
  const closed = !shape.open && !shape.fallback;
  const fields = [...(tagField === undefined ? [] : [tagField]), ...shared];
  return {
    notes: [
      inline(
        "The property ",
        codeSpan(tag),
        " tells the variants apart",
        closed ? "; a value that is not listed is invalid." : ".",
      ),
    ],
    ...withFields(fields, "union", place, scope),
    variants: [
      ...shape.variants.map((variant) => taggedView(variant, tag, place, scope)),
      ...others.flatMap((view) => (view === undefined ? [] : [view])),
    ],
  };
}

function union(shape: UnionShape, place: Place, scope: PageScope): Partial<ShapeView> {
  const meant = shape.exclusive
    ? "Exactly one of the variants must fit."
    : "The first variant that fits is meant.";
  return {
    notes: shape.variants.length > 1 ? [inline(meant)] : [],
    ...withFields(shape.shared, "union", place, scope),
    variants: shape.variants.map((variant) => unionView(variant, place, scope)),
  };
}

/** A variant with a tag of its own. */
function taggedView(
  variant: TaggedVariant,
  tag: string,
  place: Place,
  scope: PageScope,
): VariantView {
  const step: Step = { kind: "variant", name: variant.value };
  return {
    id: scope.id(partId(place, step)),
    within: within(place),
    label: inline(codeSpan(`${tag}: ${valueText(variant.value)}`)),
    ...bodyView(variant.body, inside(place, step), scope),
    badges: featureBadges(variant.feature, scope),
    description: scope.prose(variant.description),
    notes: variant.gate === undefined ? [] : [inline("Gate: ", gateSentence(variant.gate, scope))],
  };
}

/** The variant of a tagged union for what has no listed tag. */
function otherView(
  variant: OtherVariant | undefined,
  when: Inline,
  place: Place,
  scope: PageScope,
): VariantView | undefined {
  if (variant === undefined) return undefined;
  const step: Step = { kind: "variant", name: variant.title };
  return {
    id: scope.id(partId(place, step)),
    within: within(place),
    label: inline(when, " (", variant.title, ")"),
    ...bodyView(variant.body, inside(place, step), scope),
    badges: [],
    description: scope.prose(variant.description),
    notes: [],
  };
}

/** A variant without a tag. */
function unionView(variant: UnionVariant, place: Place, scope: PageScope): VariantView {
  const step: Step = { kind: "variant", name: variant.name };
  const detail = findDetail(variant.slot.shape);
  return {
    id: scope.id(partId(place, step)),
    within: within(place),
    label: inline(variant.name),
    type: detail?.kind === "object" ? undefined : inline(typeCode(variant.slot, scope)),
    body: detail && shapeView(detail, inside(place, step), scope),
    badges: featureBadges(variant.feature, scope),
    description: scope.prose(variant.description),
    notes: constraintNotes(variant.slot.shape),
  };
}

/** The rest of a variant: a link where it is a definition, else everything it holds. */
function bodyView(body: Shape, place: Place, scope: PageScope): Pick<VariantView, "type" | "body"> {
  if (body.kind === "reference") {
    return { type: inline(typeCode({ shape: body, nullable: false }, scope)), body: undefined };
  }
  const empty = body.kind === "object" && body.fields.length === 0;
  return { type: undefined, body: empty ? undefined : shapeView(body, place, scope) };
}

function within({ steps }: Place): string {
  return steps
    .filter(({ kind }) => kind === "variant")
    .map(({ name }) => `${name}${WITHIN}`)
    .join("");
}
