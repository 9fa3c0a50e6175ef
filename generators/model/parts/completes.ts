import { targetsOf } from "./dependency-order.js";
import { fieldsOf } from "./fields-of.js";
import type { Part } from "./part.js";

/** Returns a function that returns whether decoding can insert a default in a value of a part. */
export function createCompletes(parts: ReadonlyMap<string, Part>): (part: Part) => boolean {
  const reach = (start: Part): ReadonlySet<Part> => {
    const found = new Set([start]);
    for (const part of found) {
      const base = part.kind === "record" && part.base !== undefined ? [part.base] : [];
      for (const name of [...targetsOf(part), ...base]) found.add(parts.get(name)!);
    }
    return found;
  };
  return (part) =>
    [...reach(part)].some(
      (one) =>
        one.kind === "record" && fieldsOf(one, parts).some((field) => field.default !== undefined),
    );
}
