import type { Gate } from "../../../model/gate.js";
import { fieldsOf } from "../../../model/map-shape.js";
import type { Field, Shape } from "../../../model/shape.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import type { PageScope } from "../site-types.js";
import { needs } from "./gate-view.js";
import { typeCode, valueText } from "./type-code.js";

/** The parts of a type, shown where something has the type. */
export interface ChildView {
  readonly summary: Inline;
  readonly open: boolean;
  readonly rows: readonly ChildRow[];
  readonly values: readonly { readonly value: Inline; readonly text: Inline }[];
}

/** A property or a variant. */
export interface ChildRow {
  readonly name: Inline;
  readonly type: Inline;
  /** Empty for a variant. */
  readonly presence: "required" | "optional" | "";
  readonly needs: Inline | undefined;
  readonly text: Inline;
  readonly child: ChildView | undefined;
}

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
    [one, several]: readonly [string, string],
    parts: Partial<Pick<ChildView, "rows" | "values">>,
    after = "",
  ): ChildView | undefined => {
    const { rows = [], values = [] } = parts;
    const count = rows.length + values.length;
    if (count === 0 || count > MOST) return undefined;
    const words = `${count} ${count === 1 ? one : several} of `;
    const summary = inline(words, codeSpan(inner.name), after);
    return { summary, open: count <= OPEN && !inside, rows, values };
  };
  switch (own.kind) {
    case "object": {
      const fields = fieldsOf(own).filter(({ name }) => name !== "_meta");
      return child(["property", "properties"], {
        rows: fields.map((field) => fieldRow(field, scope)),
      });
    }
    case "tagged":
      return child(
        ["variant", "variants"],
        {
          rows: own.variants.map(({ value, body, description, gate }) => ({
            name: inline(codeSpan(valueText(value))),
            type: inline(
              ...(body.kind === "reference"
                ? [typeCode({ shape: body, nullable: false }, scope)]
                : []),
            ),
            presence: "",
            needs: needs(gates[value] ?? gate, scope),
            text: first(description, scope),
            child: inside ? undefined : childView(body, {}, scope, true),
          })),
        },
        `, by ${own.tag}`,
      );
    case "union":
      return child(["variant", "variants"], {
        rows: own.variants.map(({ name, slot, description }) => ({
          name: inline(name),
          type: inline(typeCode(slot, scope)),
          presence: "",
          needs: undefined,
          text: first(description, scope),
          child: inside ? undefined : childView(slot.shape, {}, scope, true),
        })),
      });
    case "enum":
      return child(["value", "values"], {
        values: own.values.map(({ value, description }) => ({
          value: inline(codeSpan(valueText(value))),
          text: first(description, scope),
        })),
      });
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

function fieldRow(field: Field, scope: PageScope): ChildRow {
  return {
    name: inline(codeSpan(field.name)),
    type: inline(typeCode(field, scope)),
    presence: field.required ? "required" : "optional",
    needs: needs(field.gate, scope),
    text: first(field.description, scope),
    child: undefined,
  };
}

/** The first paragraph of a description. */
function first(description: string, scope: PageScope): Inline {
  return scope.prose(description)[0] ?? inline();
}
