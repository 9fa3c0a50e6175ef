import type { Field, Shape } from "../shape.js";
import { declareLoss, type Context } from "./context.js";
import type { ConversionRule } from "./rules.js";

/** The place of the loss that any object may have. */
export const ANYWHERE = "*";

/**
 * Adds to a rule what becomes of properties that the version of the value does not define, and that
 * of the result does: they have no meaning in the one, and would get one in the other.
 *
 * @param names the properties of the result in this place
 * @param known those of the value
 */
export function withoutForeign(
  context: Context,
  rule: ConversionRule | undefined,
  names: readonly string[],
  known: readonly string[],
): ConversionRule | undefined {
  // Any object may have metadata.
  const foreign = names.filter((name) => name !== "_meta" && !known.includes(name));
  if (foreign.length === 0) return rule;
  const [own, other] = context.direction === "toV2" ? [1, 2] : [2, 1];
  const text = `The property has no meaning here in version ${own}, and would have one in version ${other}; it is left out.`;
  const loss = declareLoss(context, ANYWHERE, "foreign", { loss: "dropped", text })!;
  return { foreign: foreign.sort(), loss, ...(rule && { rule }) };
}

/** Returns the names of the properties of a shape, as far as it is an object with known ones. */
export function namesOf(shape: Shape, definitions: Context["from"]): readonly string[] {
  if (shape.kind === "reference") return namesOf(definitions.get(shape.name)!.shape, definitions);
  if (shape.kind === "object") return fieldNames(shape.fields);
  if (shape.kind === "union")
    return [
      ...fieldNames(shape.shared),
      ...shape.variants.flatMap(({ slot }) => namesOf(slot.shape, definitions)),
    ];
  if (shape.kind !== "tagged") return [];
  const others = [shape.open, shape.fallback, shape.absent].flatMap((other) => other ?? []);
  return [
    shape.tag,
    ...fieldNames(shape.shared),
    ...[...shape.variants, ...others].flatMap(({ body }) => namesOf(body, definitions)),
  ];
}

export function fieldNames(fields: readonly Field[]): readonly string[] {
  return fields.map(({ name }) => name);
}
