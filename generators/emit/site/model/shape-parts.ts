import type { Gate } from "../../../model/gate.js";
import { ownFields } from "../../../model/map-shape.js";
import type { Shape, Slot } from "../../../model/shape.js";

/** A property, variant or value of a type. */
export interface ShapePart {
  readonly name: string;
  readonly feature?: string | undefined;
  readonly gate?: Gate | undefined;
  /** Absent for plain values. */
  readonly slot?: Slot;
}

/** The properties of a type that are not those of one variant, then its variants or values. */
export function shapeParts(shape: Shape): readonly ShapePart[] {
  return [
    ...ownFields(shape).map((field) => ({ ...field, slot: field })),
    ...alternativesOf(shape),
  ];
}

/** The variants or values of a type. */
export function alternativesOf(shape: Shape): readonly ShapePart[] {
  switch (shape.kind) {
    case "tagged":
      return shape.variants.map(({ value: name, feature, gate, body }) => {
        return { name, feature, gate, slot: { shape: body, nullable: false } };
      });
    case "enum":
      return shape.values.map(({ value, ...part }) => ({ ...part, name: String(value) }));
    case "union":
      return shape.variants;
    default:
      return [];
  }
}
