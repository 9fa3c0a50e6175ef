import type { EnumShape, Shape, UnionShape } from "../../../model/shape.js";

/** More alternatives than this are counted in the type and listed below it. */
const LISTED = 4;

/**
 * Finds the part of a shape that its type code does not show: alternatives,
 * values or properties that are inline, without a definition.
 */
export function findDetail(shape: Shape): Shape | undefined {
  switch (shape.kind) {
    case "any":
    case "null":
    case "scalar":
    case "reference":
      return undefined;
    case "list":
      return findDetail(shape.items.shape);
    case "map":
      return findDetail(shape.values.shape);
    case "object":
      return shape.fields.length > 0 ? shape : undefined;
    case "tagged":
      return shape;
    case "enum":
      return isListed(shape) ? undefined : shape;
    case "union":
      return isListed(shape) ? undefined : shape;
    default:
      return shape satisfies never;
  }
}

export function isListed(shape: EnumShape | UnionShape): boolean {
  if (shape.kind === "enum") {
    return (
      shape.values.length <= LISTED &&
      shape.values.every(
        ({ description, title, gate, feature }) =>
          description === "" && title === undefined && gate === undefined && feature === undefined,
      )
    );
  }
  return (
    shape.variants.length <= LISTED &&
    shape.shared.length === 0 &&
    shape.variants.every(
      ({ description, feature, slot }) =>
        description === "" && feature === undefined && findDetail(slot.shape) === undefined,
    )
  );
}
