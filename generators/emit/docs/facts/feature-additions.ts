import { fieldsOf, innerShapes, type Step } from "../../../model/map-shape.js";
import type { Protocol } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";
import type { Use } from "./references.js";

/** What each feature adds to definitions that exist without it: properties, variants and values, by feature. */
export function findAdditions(protocol: Protocol): ReadonlyMap<string, readonly Use[]> {
  const found = new Map<string, Use[]>();
  for (const { name: owner, shape, feature: whole } of protocol.definitions) {
    if (whole !== undefined) continue;
    walkAdditions(shape, [], (feature, place) => {
      found.set(feature, [...(found.get(feature) ?? []), { owner, ...place }]);
    });
  }
  return found;
}

function walkAdditions(
  shape: Shape,
  steps: readonly Step[],
  visit: (feature: string, place: Omit<Use, "owner">) => void,
): void {
  for (const { name, feature } of fieldsOf(shape))
    if (feature !== undefined) visit(feature, { steps: [...steps, { kind: "field", name }] });
  if (shape.kind === "tagged")
    for (const { value, feature } of shape.variants)
      if (feature !== undefined)
        visit(feature, { steps: [...steps, { kind: "variant", name: value }] });
  if (shape.kind === "union")
    for (const { name, feature } of shape.variants)
      if (feature !== undefined) visit(feature, { steps: [...steps, { kind: "variant", name }] });
  if (shape.kind === "enum")
    for (const { value, feature } of shape.values)
      if (feature !== undefined) visit(feature, { steps, value });
  for (const { shape: inner, step } of innerShapes(shape))
    walkAdditions(inner, step ? [...steps, step] : steps, visit);
}
