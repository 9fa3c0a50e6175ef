import type { Step } from "../../../model/map-shape.js";
import type { OtherVariant, Shape, TaggedVariant, UnionVariant } from "../../../model/shape.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { gateSentence } from "./gate-view.js";
import { featureBadges, type BadgeView, type PageScope } from "../frame/page.js";
import { constraintNotes } from "./notes.js";
import { inside, partId, WITHIN, type Place } from "../facts/anchor.js";
import { shapeView, type ShapeView } from "./shape-view.js";
import { findDetail, typeCode, valueText } from "./type-code.js";

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

/** A variant with a tag of its own. */
export function taggedView(
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
export function otherView(
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
export function unionView(variant: UnionVariant, place: Place, scope: PageScope): VariantView {
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
