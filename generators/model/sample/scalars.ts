import type { Json } from "../../schema/json-schema/json.js";
import type { EnumShape, ScalarShape } from "../shape.js";
import { textsFor } from "./text.js";

/**
 * Values that a scalar or an enumeration may accept, the best first; whether
 * the restrictions hold is still to be checked.
 *
 * @param label what the value is for: a property's or definition's name
 */
export function valuesFor(shape: ScalarShape | EnumShape, label: string): readonly Json[] {
  if (shape.kind === "enum") {
    const listed = shape.values.map(({ value }) => value);
    return [...listed, shape.type === "integer" ? 0 : `_${label}`];
  }
  const { type } = shape;
  switch (type) {
    case "boolean":
      return [shape.constant ?? true];
    case "string":
      return textsFor(shape, label);
    case "integer":
    case "number":
      return [nearOne(shape)];
    default:
      return type satisfies never;
  }
}

/** Returns the number nearest to one within the limits. */
function nearOne(shape: ScalarShape): number {
  const { type, minimum = -Infinity, maximum = Infinity } = shape;
  const { exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = shape;
  const isInteger = type === "integer";
  const least = isInteger ? Math.ceil(minimum) : minimum;
  const most = isInteger ? Math.floor(maximum) : maximum;
  const nearest = Math.min(Math.max(1, least), most);
  if (nearest > above && nearest < below) return nearest;
  const [from, to] = [Math.max(above, least), Math.min(below, most)];
  if (from === -Infinity) return Math.floor(to) - 1;
  return to === Infinity || to > from + 2 ? Math.floor(from) + 1 : (from + to) / 2;
}
