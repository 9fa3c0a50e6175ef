import type { Shape, Slot, TaggedShape } from "../shape.js";
import type { Context } from "./context.js";
import type { ValueForm } from "./rules.js";

/** Returns the forms that distinguish a variant from the one that accepts any tag; undefined without such. */
export function variantForms(
  { variants, fallback, shared, tag }: TaggedShape,
  definitions: Context["from"],
): { readonly [value: string]: ValueForm } | undefined {
  if (fallback === undefined || variants.length === 0) return undefined;
  const sharedForm = valueForm({ kind: "object", fields: shared }, definitions);
  const whole = (body: Shape): ValueForm => merge(valueForm(body, definitions), sharedForm, tag);
  return Object.fromEntries([
    ...variants.map(({ value, body }) => [value, whole(body)] as const),
    ["-", whole(fallback.body)] as const,
  ]);
}

/**
 * Returns the types of a shape; limits, and what stands in unions, are left to the receiver.
 *
 * @param outer the definitions that the shape stands in, since one may contain itself
 */
export function valueForm(
  shape: Shape,
  definitions: Context["from"],
  outer: readonly string[] = [],
): ValueForm {
  const slot = ({ shape: inner, nullable }: Slot): ValueForm => {
    const form = valueForm(inner, definitions, outer);
    return nullable && form !== "any" ? { nullable: form } : form;
  };
  switch (shape.kind) {
    case "scalar":
    case "enum":
      return shape.type;
    case "list":
      return { list: slot(shape.items) };
    case "map":
      return { map: slot(shape.values) };
    case "reference":
      return outer.includes(shape.name)
        ? "any"
        : valueForm(definitions.get(shape.name)!.shape, definitions, [...outer, shape.name]);
    case "object":
      return {
        members: Object.fromEntries(shape.fields.map((field) => [field.name, slot(field)])),
        required: shape.fields.filter(({ required }) => required).map(({ name }) => name),
      };
    case "any":
    case "null":
    case "tagged":
    case "union":
      return "any";
    default:
      return shape satisfies never;
  }
}

/** Puts the properties of a variant and those of all variants together. */
function merge(one: ValueForm, other: ValueForm, tag: string): ValueForm {
  if (typeof one !== "object" || !("members" in one)) return one;
  if (typeof other !== "object" || !("members" in other)) return one;
  const { [tag]: _, ...members } = { ...other.members, ...one.members };
  return { members, required: [...other.required, ...one.required].filter((name) => name !== tag) };
}
