import type { Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { Use } from "./type-uses.js";

/** Collects the properties, variants and values that features add to existing definitions, by feature. */
export function findAdditions(protocol: Protocol): ReadonlyMap<string, readonly Use[]> {
  const found = new Map<string, Use[]>();
  for (const { name: owner, shape, feature: whole } of protocol.definitions) {
    if (whole !== undefined) continue;
    const add = (feature: string | undefined, part: Omit<Use, "owner">): void => {
      if (feature !== undefined)
        found.set(feature, [...(found.get(feature) ?? []), { owner, ...part }]);
    };
    visitShape(shape, {
      field: ({ feature }, steps) => add(feature, { steps }),
      variant: ({ feature }, steps) => add(feature, { steps }),
      value: ({ feature, value }, steps) => add(feature, { steps, value }),
    });
  }
  return found;
}
