import { ownFields, innerShapes } from "../../../model/map-shape.js";
import type { Definition } from "../../../model/protocol.js";
import type { Shape } from "../../../model/shape.js";

/** Returns the definition of a name. */
export type Find = (name: string) => Definition;

/** Replaces a reference to a scalar, or to any value, by its target, which needs no function call. */
export function inlined(shape: Shape, find: Find): Shape {
  if (shape.kind !== "reference") return shape;
  const target = find(shape.name).shape;
  return target.kind === "scalar" || target.kind === "any" ? target : shape;
}

/** Returns whether decoding can insert a default somewhere in a valid value. */
export function completes(shape: Shape, find: Find): boolean {
  return reachable(shape, innerOf, find).some((inner) =>
    ownFields(inner).some((field) => field.default !== undefined),
  );
}

/** Returns whether the fast check of a shape passes every valid value. */
export function isExact(shape: Shape, find: Find): boolean {
  if (completes(shape, find)) return false;
  return !reachable(shape, innerOf, find).some(
    (inner) =>
      (inner.kind === "scalar" && inner.type === "integer") ||
      (inner.kind === "enum" && inner.open !== undefined) ||
      (inner.kind === "object" && (inner.patterns ?? inner.others) !== undefined) ||
      (inner.kind === "tagged" && (inner.open ?? inner.fallback) !== undefined) ||
      // Every object seems to have these properties.
      ownFields(inner).some(({ name }) => name in Object.prototype),
  );
}

/**
 * Returns whether the slow path of a definition reads values that pass the fast check as well:
 * for values of recursive definitions, that check would run at every level; for unions with
 * numbers, it also passes integers that have lost precision, which are reported.
 */
export function isThorough(name: string, find: Find): boolean {
  const { shape } = find(name);
  if (shape.kind === "reference") return isThorough(shape.name, find);
  return isRecursive(name, find) || (shape.kind === "union" && holdsNumbers(shape, find));
}

/** Returns whether values of a shape can hold numbers that need not be integers. */
function holdsNumbers(shape: Shape, find: Find): boolean {
  return reachable(shape, innerOf, find).some(
    (inner) => inner.kind === "scalar" && inner.type === "number",
  );
}

function innerOf(shape: Shape): readonly Shape[] {
  return innerShapes(shape).map((inner) => inner.shape);
}

/** Returns whether values of a definition can hold values of the same definition. */
function isRecursive(name: string, find: Find): boolean {
  return reachable(find(name).shape, innerOf, find).some(
    (inner) => inner.kind === "reference" && inner.name === name,
  );
}

/** Returns whether undefined would pass the test of a shape. */
export function acceptsUndefined(shape: Shape, find: Find): boolean {
  return reachable(shape, alternativesOf, find).some(({ kind }) => kind === "any");
}

function alternativesOf(shape: Shape): readonly Shape[] {
  return shape.kind === "union" ? shape.variants.map(({ slot }) => slot.shape) : [];
}

/** Returns a shape and all shapes reachable from it, each definition once. */
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
