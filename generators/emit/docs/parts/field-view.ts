import type { Field } from "../../../model/shape.js";
import { codeSpan, inline, type CodeBlock, type Inline } from "../../../output/markup.js";
import { nestedDeclaration } from "./declaration.js";
import { fieldNotes } from "./notes.js";
import { partId, type Anchor } from "../facts/anchor.js";
import { typeCode } from "./type-code.js";
import { featureBadges } from "../frame/badges.js";
import type { BadgeView } from "./badge-view.js";
import type { PageScope } from "../site-types.js";

/** A table of properties. */
export interface FieldTable {
  readonly caption: string;
  /** Whether the caption repeats the heading above. */
  readonly quiet: boolean;
  readonly rows: readonly FieldView[];
}

export interface FieldView {
  readonly id: string;
  readonly name: Inline;
  readonly type: Inline;
  /** `required` or `optional`. */
  readonly presence: string;
  readonly nullable: boolean;
  /** Whether the description is to be opened: `_meta` is the same nearly everywhere. */
  readonly folded: boolean;
  /** The declaration of its type, to open in place. */
  readonly nested: CodeBlock | undefined;
  readonly badges: readonly BadgeView[];
  /** One item a paragraph. */
  readonly description: readonly Inline[];
  readonly notes: readonly Inline[];
}

/**
 * Properties in the order of reading: required ones first, the reserved `_meta` last.
 *
 * @param owner an object, or a union whose variants share the properties
 */
export function fieldTable(
  fields: readonly Field[],
  owner: "object" | "union",
  anchor: Anchor,
  scope: PageScope,
): FieldTable {
  const rank = ({ name, required }: Field): number => (name === "_meta" ? 2 : required ? 0 : 1);
  const sorted = [...fields].sort((a, b) => rank(a) - rank(b));
  return {
    caption: owner === "object" ? "Properties" : "Properties of every variant",
    quiet: owner === "object",
    rows: sorted.map((field) => fieldView(field, anchor, scope)),
  };
}

function fieldView(field: Field, anchor: Anchor, scope: PageScope): FieldView {
  return {
    id: scope.id(partId(anchor, { kind: "field", name: field.name })),
    name: inline(codeSpan(field.name)),
    type: inline(typeCode(field, scope)),
    presence: field.required ? "required" : "optional",
    nullable: field.nullable,
    folded: field.name === "_meta",
    nested: nestedDeclaration(field.shape, scope),
    badges: featureBadges(field.feature, scope),
    description: scope.prose(field.description),
    notes: fieldNotes(field, scope),
  };
}
