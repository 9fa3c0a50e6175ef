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
  return reachable(shape, innerOf, find).some((inner) =>
    fieldsOf(inner).some((field) => field.default !== undefined),
  );
}

function innerOf(shape: Shape): readonly Shape[] {
  return innerShapes(shape).map((inner) => inner.shape);
}

/** Whether undefined would pass the test of a shape. */
export function takesAnything(shape: Shape, find: Find): boolean {
  return reachable(shape, alternativesOf, find).some(({ kind }) => kind === "any");
}

function alternativesOf(shape: Shape): readonly Shape[] {
  return shape.kind === "union" ? shape.variants.map(({ slot }) => slot.shape) : [];
}

/** A shape and all that it leads to, each definition once. */
function reachable(
  start: Shape,
  next: (shape: Shape) => readonly Shape[],
  find: Find,
): readonly Shape[] {
  const names = new Set<string>();
  const shapes = [start];
  for (const shape of shapes) {
    if (shape.kind !== "reference") shapes.push(...next(shape));
    else if (!names.has(shape.name)) {
      names.add(shape.name);
      shapes.push(find(shape.name).shape);
    }
  }
  return shapes;
}
