import { fieldsOf, innerShapes } from "../../model/map-shape.js";
import type { Definition } from "../../model/protocol.js";
import type { Shape } from "../../model/shape.js";

/** The definition of a name. */
export type Find = (name: string) => Definition;

/** References to what one comparison or one function of the runtime can do are not followed at run time. */
export function inlined(shape: Shape, find: Find): Shape {
  if (shape.kind !== "reference") return shape;
  const target = find(shape.name).shape;
  return target.kind === "scalar" || target.kind === "any" ? target : shape;
}

/** Whether decoding can insert a default somewhere in a valid value. */
export function completes(shape: Shape, find: Find): boolean {
  if (shape.kind === "reference") return completes(find(shape.name).shape, find);
  return (
    fieldsOf(shape).some((field) => field.default !== undefined) ||
    innerShapes(shape).some((inner) => completes(inner.shape, find))
  );
}

/** Whether undefined would pass the test of a shape. */
export function takesAnything(shape: Shape, find: Find): boolean {
  if (shape.kind === "reference") return takesAnything(find(shape.name).shape, find);
  return (
    shape.kind === "any" ||
    (shape.kind === "union" && shape.variants.some(({ slot }) => takesAnything(slot.shape, find)))
  );
}
