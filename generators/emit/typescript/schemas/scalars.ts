import type { ListShape, ScalarShape } from "../../../model/shape.js";
import { code, literal, type Code } from "../../../output/code.js";

/** A call of one of the runtime's diagnose functions, without the value. */
export interface Call {
  readonly name: Code;
  readonly limits: readonly Code[];
}

/** Returns the call that diagnoses a string, number or boolean. */
export function scalarCall(shape: ScalarShape): Call {
  const { minimum, maximum, minLength, maxLength, pattern } = shape;
  switch (shape.type) {
    case "boolean":
      return { name: code`boolean`, limits: [] };
    case "number":
      return { name: code`number`, limits: range(minimum, maximum) };
    case "integer":
      return minimum === 0 && maximum === undefined
        ? { name: code`natural`, limits: [] }
        : { name: code`integer`, limits: range(minimum, maximum) };
    case "string": {
      const limits = range(minLength, maxLength, pattern);
      return { name: limits.length === 0 ? code`string` : code`text`, limits };
    }
    default:
      return shape.type satisfies never;
  }
}

/** Returns the limits of a list's length. */
export function sizes({ minItems, maxItems }: ListShape): Code[] {
  return range(minItems, maxItems);
}

/** Prints arguments up to the last one that is given. */
function range(...values: readonly (number | string | undefined)[]): Code[] {
  const last = values.findLastIndex((value) => value !== undefined);
  return values
    .slice(0, last + 1)
    .map((value) => (value === undefined ? code`undefined` : literal(value)));
}
