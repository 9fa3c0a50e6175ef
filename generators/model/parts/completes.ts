import { reachableParts } from "./dependency-order.js";
import { fieldsOf } from "./fields-of.js";
import type { Part } from "./part.js";

/** Returns a function that returns whether decoding can insert a default in a value of a part. */
export function createCompletes(parts: ReadonlyMap<string, Part>): (part: Part) => boolean {
  return (part) =>
    [...reachableParts([part], parts)].some(
      (one) =>
        one.kind === "record" && fieldsOf(one, parts).some((field) => field.default !== undefined),
    );
}
