import type { ChildView, Row } from "../blocks/block.js";
import type { Gate } from "../../../model/gate.js";
import { ownFields } from "../../../model/map-shape.js";
import type { Shape } from "../../../model/shape.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import type { PageScope } from "../model/site.js";
import { needs } from "./gate-view.js";
import { countedParts } from "./shape-words.js";
import { may, presence, row } from "./row.js";
import { typeCode, valueText } from "./type-code.js";

/** Types with more parts are only linked. */
const MOST = 12;
/** Types with more parts are folded. */
const OPEN = 5;

type VariantGates = { readonly [tag: string]: Gate };

/**
 * Returns the parts of the type that a shape, or the items of a list, refers to; undefined for a
 * shape without one and for a type with many parts or none.
 *
 * @param gates the gates of variants in this place
 * @param inside whether the parts stand in those of another type
 */
export function childView(
  shape: Shape,
  gates: VariantGates,
  scope: PageScope,
  inside = false,
): ChildView | undefined {
  const inner = shape.kind === "list" ? shape.items.shape : shape;
  if (inner.kind !== "reference") return undefined;
  const { shape: own } = scope.site.definitions.get(inner.name)!;
  const child = (
    parts: readonly Row[],
    { after = "", tone = "" }: { after?: string; tone?: ChildView["tone"] } = {},
  ): ChildView | undefined => {
    if (parts.length === 0 || parts.length > MOST) return undefined;
    const summary = inline(`${countedParts(own, parts.length)} of `, codeSpan(inner.name), after);
    return { summary, open: parts.length <= OPEN && !inside, tone, rows: parts };
  };
  // The first paragraph of a description is enough here.
  const text = (description: string): readonly Inline[] => scope.prose(description).slice(0, 1);
  const deeper = (body: Shape): ChildView | undefined =>
    inside ? undefined : childView(body, {}, scope, true);
  switch (own.kind) {
    case "object":
      return child(
        ownFields(own)
          .filter(({ name }) => name !== "_meta")
          .map((field) =>
            row(inline(codeSpan(field.name)), {
              type: inline(typeCode(field, scope)),
              marks: [...presence(field), ...may(needs(field.gate, scope))],
              text: text(field.description),
            }),
          ),
      );
    case "tagged":
      return child(
        own.variants.map(({ value, body, description, gate }) =>
          row(inline(codeSpan(valueText(value))), {
            type:
              body.kind === "reference"
                ? inline(typeCode({ shape: body, nullable: false }, scope))
                : undefined,
            marks: may(needs(gates[value] ?? gate, scope)),
            text: text(description),
            child: deeper(body),
          }),
        ),
        { after: `, by ${own.tag}` },
      );
    case "union":
      return child(
        own.variants.map(({ name, slot, description }) =>
          row(inline(name), {
            type: inline(typeCode(slot, scope)),
            text: text(description),
            child: deeper(slot.shape),
          }),
        ),
      );
    case "enum":
      return child(
        own.values.map(({ value, description }) =>
          row(inline(codeSpan(valueText(value))), { text: text(description) }),
        ),
        { tone: "values" },
      );
    case "any":
    case "null":
    case "scalar":
    case "reference":
    case "list":
    case "map":
      return undefined;
    default:
      return own satisfies never;
  }
}
