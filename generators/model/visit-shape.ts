import { ownFields, innerShapes, type Step } from "./map-shape.js";
import type { EnumValue, Field, Shape, TaggedVariant } from "./shape.js";

/** The steps that lead to a part of a shape. Items of lists and values of maps add no step. */
export type Steps = readonly Step[];

/** Callbacks for the parts of a shape. */
export interface ShapeVisitor {
  /** Called for every property, that of a union's tag included, with the steps that lead to it. */
  readonly field?: (field: Field, steps: Steps) => void;
  /** Called for every listed alternative; `tag` is undefined where they have no tag. */
  readonly variant?: (
    variant: Pick<TaggedVariant, "gate" | "feature">,
    steps: Steps,
    tag: string | undefined,
  ) => void;
  /** Called for every value of an enumeration, with the steps that lead to the enumeration. */
  readonly value?: (value: EnumValue, steps: Steps) => void;
  /** Called for every reference, which is not followed. */
  readonly reference?: (name: string, steps: Steps) => void;
  /** Decides whether to visit the shapes inside a shape; without it, all are visited. */
  readonly enter?: (shape: Shape, steps: Steps) => boolean;
}

/** Visits the parts of a shape, then those of the shapes inside it, in reading order. */
export function visitShape(shape: Shape, visitor: ShapeVisitor, steps: Steps = []): void {
  const tagFields = shape.kind === "tagged" && shape.tagField ? [shape.tagField] : [];
  for (const field of [...tagFields, ...ownFields(shape)])
    visitor.field?.(field, [...steps, { kind: "field", name: field.name }]);
  if (shape.kind === "tagged")
    for (const variant of shape.variants)
      visitor.variant?.(variant, [...steps, { kind: "variant", name: variant.value }], shape.tag);
  if (shape.kind === "union")
    for (const variant of shape.variants)
      visitor.variant?.(variant, [...steps, { kind: "variant", name: variant.name }], undefined);
  if (shape.kind === "enum") for (const value of shape.values) visitor.value?.(value, steps);
  if (shape.kind === "reference") visitor.reference?.(shape.name, steps);
  if (visitor.enter?.(shape, steps) === false) return;
  for (const field of tagFields)
    visitShape(field.shape, visitor, [...steps, { kind: "field", name: field.name }]);
  for (const { shape: inner, step } of innerShapes(shape))
    visitShape(inner, visitor, step === undefined ? steps : [...steps, step]);
}

/** Returns names with everything that they refer to, at any depth. */
export function reachable(
  roots: readonly string[],
  shapeOf: (name: string) => Shape,
): ReadonlySet<string> {
  const found = new Set(roots);
  // Iterating a Set also visits items that are added meanwhile.
  for (const name of found) for (const next of referencesOf(shapeOf(name))) found.add(next);
  return found;
}

/** Returns the names that a shape refers to, at any depth inside it, as often as it does. */
export function referencesOf(shape: Shape): readonly string[] {
  const names: string[] = [];
  visitShape(shape, { reference: (name) => names.push(name) });
  return names;
}
