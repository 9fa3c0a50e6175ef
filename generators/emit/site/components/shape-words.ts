import type { Shape } from "../../../model/shape.js";

/** What the parts of a type are called: one, and several. */
const PARTS: { readonly [kind in Shape["kind"]]?: readonly [one: string, several: string] } = {
  object: ["property", "properties"],
  tagged: ["variant", "variants"],
  union: ["variant", "variants"],
  enum: ["value", "values"],
};

/** The title of what a type consists of: `Variants`. */
export function partsTitle({ kind }: Shape): string {
  const [, name = "value"] = PARTS[kind] ?? [];
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Parts with their number: `2 variants`; empty for none. */
export function countedParts({ kind }: Shape, count: number): string {
  const names = PARTS[kind];
  return names === undefined || count === 0 ? "" : `${count} ${names[count === 1 ? 0 : 1]}`;
}

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
