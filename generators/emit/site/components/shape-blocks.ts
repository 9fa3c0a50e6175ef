import type { Step } from "../../../model/map-shape.js";
import type {
  EnumShape,
  Field,
  OtherVariant,
  Shape,
  TaggedShape,
  UnionShape,
} from "../../../model/shape.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import {
  innerAnchor,
  otherValuesId,
  partId,
  valueId,
  WITHIN,
  type Anchor,
} from "../model/anchor.js";
import { findDetail } from "../model/find-detail.js";
import { featureBadges } from "./badges.js";
import type { PageScope } from "../model/site.js";
import { paragraph, paragraphs, rows, type Block, type Row } from "../blocks/block.js";
import { childView } from "./child-view.js";
import type { FigureView } from "../blocks/figure.js";
import { gateSentence, isPlainGate, needs } from "./gate-view.js";
import {
  constraintNotes,
  decodeNotes,
  fieldNotes,
  gateNotes,
  lenientNote,
  stateNotes,
  variantGateNotes,
} from "./notes.js";
import { may, presence, row } from "./row.js";
import { typeCode, valueText } from "./type-code.js";

/** A shape on a page: the position of its parts, the links, and the examples of variants by tag. */
interface Place {
  readonly anchor: Anchor;
  readonly scope: PageScope;
  readonly examples?: ReadonlyMap<string, FigureView>;
}

/** Returns the content of a definition, or of a shape without a definition, with all inline shapes in it. */
export function shapeBlocks(shape: Shape, place: Place): readonly Block[] {
  const { scope } = place;
  switch (shape.kind) {
    case "any":
      return [paragraph(inline("Any JSON value."))];
    case "object":
      if (shape.fields.length === 0) return [paragraph(inline("An object without properties."))];
      return fieldBlocks(shape.fields, place);
    case "tagged":
      return taggedBlocks(shape, place);
    case "union":
      return unionBlocks(shape, place);
    case "enum":
      return [
        paragraph(
          inline(
            shape.open
              ? `One of these values, or any other ${shape.type}.`
              : "One of these values; any other is invalid.",
          ),
        ),
        ...paragraphs(constraintNotes(shape)),
        ...rows(valueRows(shape, place), "values"),
      ];
    case "null":
    case "scalar":
    case "reference":
    case "list":
    case "map": {
      const detail = findDetail(shape);
      const type = typeCode({ shape, nullable: false }, scope);
      return [
        paragraph(inline("A value of the type ", type, ".")),
        ...paragraphs(constraintNotes(shape)),
        ...(detail === undefined ? [] : [groupBlock(inline("Each item"), detail, place)]),
      ];
    }
    default:
      return shape satisfies never;
  }
}

/** The properties in the order of reading, required ones first and `_meta` last; then their inline types. */
function fieldBlocks(fields: readonly Field[], place: Place): readonly Block[] {
  const { anchor, scope } = place;
  const rank = ({ name, required }: Field): number => (name === "_meta" ? 2 : required ? 0 : 1);
  const list = [...fields]
    .sort((a, b) => rank(a) - rank(b))
    .map((field) => fieldRow(field, anchor, scope));
  const isRepaired = list.some(({ lenient, folded }) => lenient !== "" && folded === undefined);
  const url = isRepaired ? scope.toPage("naming.html", "lenient-receivers") : undefined;
  const words = "What a lenient receiver does with an invalid value";
  return [
    ...(url === undefined ? [] : [paragraph(inline(textLink(words, url)), "small")]),
    ...rows(list),
    ...fields.flatMap(({ name, shape }) => {
      const detail = findDetail(shape);
      if (detail === undefined) return [];
      const at = innerAnchor(anchor, { kind: "field", name });
      return [groupBlock(inline("Inside ", codeSpan(name)), detail, { anchor: at, scope })];
    }),
  ];
}

function groupBlock(caption: Inline, shape: Shape, place: Place): Block {
  return { group: { caption, blocks: shapeBlocks(shape, place) } };
}

/** The properties of a union that all variants have. */
function sharedBlocks(fields: readonly Field[], place: Place): readonly Block[] {
  if (fields.length === 0) return [];
  return [
    paragraph(inline("Properties of every variant"), "label"),
    ...fieldBlocks(fields, { anchor: place.anchor, scope: place.scope }),
  ];
}

function fieldRow(field: Field, anchor: Anchor, scope: PageScope): Row {
  const { name, feature, description, shape, gate, variantGates } = field;
  const child = childView(shape, variantGates, scope);
  const variants = variantGateNotes(field, scope);
  const gates = isPlainGate(gate) ? [gateSentence(gate, scope)] : [];
  const metadata = scope.toPage("extending.html");
  const meta = "metadata of extensions";
  return row(inline(codeSpan(name)), {
    id: scope.id(partId(anchor, { kind: "field", name })),
    within: within(anchor),
    type: inline(typeCode(field, scope)),
    marks: [...presence(field), ...may(needs(gate, scope))],
    folded:
      name === "_meta"
        ? inline(metadata === undefined ? meta : textLink(meta, metadata))
        : undefined,
    lenient: lenientNote(field),
    badges: featureBadges(feature, scope),
    text: scope.prose(description),
    notes: [...fieldNotes(field, scope), ...(child === undefined ? variants : [])],
    sentences: [...decodeNotes(field), ...gates, ...(child === undefined ? [] : variants)],
    child,
  });
}

function taggedBlocks(shape: TaggedShape, place: Place): readonly Block[] {
  const { tag, tagField, shared, open, absent, fallback } = shape;
  const end = open || fallback ? "." : "; a value that is not listed is invalid.";
  const { anchor, scope, examples } = place;
  const fields = sharedBlocks([...(tagField === undefined ? [] : [tagField]), ...shared], place);
  const listed = shape.variants.map(({ value, body, gate, feature, description, state }) =>
    variantRow(inline(codeSpan(`${tag}: ${valueText(value)}`)), value, body, place, {
      marks: may(needs(gate, scope)),
      badges: featureBadges(feature, scope),
      text: scope.prose(description),
      notes: [...gateNotes(gate, scope), ...stateNotes(state)],
      figure: examples?.get(value),
    }),
  );
  const others: readonly (readonly [OtherVariant | undefined, Inline])[] = [
    [open, inline("any other ", codeSpan(tag))],
    [absent, inline("no ", codeSpan(tag), ", or null")],
    [fallback, inline("no listed ", codeSpan(tag))],
  ];
  const unlisted = others.flatMap(([variant, when]) => {
    if (variant === undefined) return [];
    const { title, body, description } = variant;
    const text = scope.prose(description);
    return [variantRow(inline(when, " (", title, ")"), title, body, { anchor, scope }, { text })];
  });
  return [
    paragraph(inline("The property ", codeSpan(tag), " selects the variant", end)),
    ...fields,
    ...rows([...listed, ...unlisted]),
  ];
}

/** A variant whose content is a definition, which is a link, or an inline shape. */
function variantRow(
  label: Inline,
  name: string,
  body: Shape,
  { anchor, scope }: Place,
  about: Partial<Row>,
): Row {
  const step: Step = { kind: "variant", name };
  const isEmpty = body.kind === "object" && body.fields.length === 0;
  return row(label, {
    id: scope.id(partId(anchor, step)),
    within: within(anchor),
    ...(body.kind === "reference"
      ? {
          type: inline(typeCode({ shape: body, nullable: false }, scope)),
          child: childView(body, {}, scope),
        }
      : {
          body: isEmpty ? [] : shapeBlocks(body, { anchor: innerAnchor(anchor, step), scope }),
        }),
    ...about,
  });
}

function unionBlocks(shape: UnionShape, place: Place): readonly Block[] {
  const { anchor, scope } = place;
  const meant = shape.exclusive
    ? "Exactly one of the variants must fit."
    : "The first variant that fits applies.";
  return [
    ...(shape.variants.length > 1 ? [paragraph(inline(meant))] : []),
    ...sharedBlocks(shape.shared, place),
    ...rows(
      shape.variants.map(({ name, slot, feature, description }) => {
        const step: Step = { kind: "variant", name };
        const detail = findDetail(slot.shape);
        return row(inline(name), {
          id: scope.id(partId(anchor, step)),
          within: within(anchor),
          type: detail?.kind === "object" ? undefined : inline(typeCode(slot, scope)),
          body:
            detail === undefined
              ? []
              : shapeBlocks(detail, { anchor: innerAnchor(anchor, step), scope }),
          child: childView(slot.shape, {}, scope),
          badges: featureBadges(feature, scope),
          text: scope.prose(description),
          notes: constraintNotes(slot.shape),
        });
      }),
    ),
  ];
}

/** The values in the order of the schema; in an open enumeration, a row for all others at the end. */
function valueRows({ values, open, type }: EnumShape, { anchor, scope }: Place): readonly Row[] {
  const listed = values.map(({ value, title, feature, description, gate }) =>
    row(inline(codeSpan(valueText(value))), {
      id: scope.id(valueId(anchor, value)),
      within: within(anchor),
      marks: may(title),
      badges: featureBadges(feature, scope),
      text: scope.prose(description),
      notes: gate === undefined ? [] : [gateSentence(gate, scope)],
    }),
  );
  if (open === undefined) return listed;
  const other = row(inline(`any other ${type}`), {
    id: scope.id(otherValuesId(anchor)),
    within: within(anchor),
    marks: may(open.title),
    text: scope.prose(open.description),
  });
  return [...listed, other];
}

function within({ steps }: Anchor): string {
  return steps
    .filter(({ kind }) => kind === "variant")
    .map(({ name }) => `${name}${WITHIN}`)
    .join("");
}
