import type { Field } from "../../../model/shape.js";
import { codeSpan, inline, textLink, type Inline } from "../../../output/markup.js";
import type { Url } from "../../../output/url.js";
import { partId, type Anchor } from "../facts/anchor.js";
import { featureBadges } from "../frame/badges.js";
import type { PageScope } from "../site-types.js";
import type { BadgeView } from "./badge-view.js";
import { childView, type ChildView } from "./child-view.js";
import { gateSentence, isPlainGate, needs } from "./gate-view.js";
import { decodeNotes, fieldNotes, lenientNote, variantGateNotes } from "./notes.js";
import { typeCode } from "./type-code.js";

/** The properties of an object or of a union. */
export interface FieldList {
  readonly caption: string;
  /** Whether the caption repeats the heading above. */
  readonly quiet: boolean;
  /** What the notes on lenient receivers mean, where a property has one. */
  readonly lenient: Url | undefined;
  readonly rows: readonly FieldView[];
}

export interface FieldView {
  readonly id: string;
  readonly name: Inline;
  readonly type: Inline;
  readonly required: boolean;
  readonly nullable: boolean;
  /** What `_meta` is, which is the same nearly everywhere; undefined for other properties. */
  readonly folded: Inline | undefined;
  /** The capability that it needs. */
  readonly needs: Inline | undefined;
  /** What a lenient receiver makes of an invalid value, in short. */
  readonly lenient: string;
  readonly badges: readonly BadgeView[];
  /** One item a paragraph. */
  readonly description: readonly Inline[];
  readonly notes: readonly Inline[];
  /** The same as `needs` and `lenient`, in sentences. */
  readonly sentences: readonly Inline[];
  /** What its type consists of. */
  readonly child: ChildView | undefined;
}

/**
 * Properties in the order of reading: required ones first, the reserved `_meta` last.
 *
 * @param owner an object, or a union whose variants share the properties
 */
export function fieldList(
  fields: readonly Field[],
  owner: "object" | "union",
  anchor: Anchor,
  scope: PageScope,
): FieldList {
  const rank = ({ name, required }: Field): number => (name === "_meta" ? 2 : required ? 0 : 1);
  const sorted = [...fields].sort((a, b) => rank(a) - rank(b));
  const rows = sorted.map((field) => fieldView(field, anchor, scope));
  return {
    caption: owner === "object" ? "Properties" : "Properties of every variant",
    quiet: owner === "object",
    lenient: rows.some(({ lenient, folded }) => lenient !== "" && folded === undefined)
      ? scope.toPage("naming.html", "lenient-receivers")
      : undefined,
    rows,
  };
}

function fieldView(field: Field, anchor: Anchor, scope: PageScope): FieldView {
  const { name, required, nullable, feature, description, shape, gate, variantGates } = field;
  const child = childView(shape, variantGates, scope);
  const variants = variantGateNotes(field, scope);
  const gates = isPlainGate(gate) ? [gateSentence(gate, scope)] : [];
  return {
    id: scope.id(partId(anchor, { kind: "field", name })),
    name: inline(codeSpan(name)),
    type: inline(typeCode(field, scope)),
    required,
    nullable,
    folded: name === "_meta" ? metaText(scope) : undefined,
    needs: needs(gate, scope),
    lenient: lenientNote(field),
    badges: featureBadges(feature, scope),
    description: scope.prose(description),
    notes: [...fieldNotes(field, scope), ...(child === undefined ? variants : [])],
    sentences: [...decodeNotes(field), ...gates, ...(child === undefined ? [] : variants)],
    child,
  };
}

function metaText(scope: PageScope): Inline {
  const url = scope.toPage("extending.html");
  return inline(
    url === undefined ? "metadata of extensions" : textLink("metadata of extensions", url),
  );
}
