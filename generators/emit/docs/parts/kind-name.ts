import type { Shape } from "../../../model/shape.js";

/** The name of a kind of shape. */
export function kindName(shape: Shape): string {
  switch (shape.kind) {
    case "any":
      return "any value";
    case "null":
    case "object":
    case "list":
    case "map":
      return shape.kind;
    case "scalar":
      return shape.type;
    case "reference":
      return "alias";
    case "enum":
      return `${shape.open ? "open" : "closed"} enumeration`;
    case "tagged":
      return `${shape.open || shape.fallback ? "open" : "closed"} tagged union`;
    case "union":
      return "union";
    default:
      return shape satisfies never;
  }
}
