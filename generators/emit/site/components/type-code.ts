import type { Json } from "../../../schema/json-schema/json.js";
import type { Shape, Slot } from "../../../model/shape.js";
import type { CodePart, CodeSpan } from "../../../output/markup.js";
import { isListed } from "../model/find-detail.js";
import type { TypeLinks } from "../model/site.js";

/** A type as code, e.g. `McpServer[] | null`; definitions are links. */
export function typeCode({ shape, nullable }: Slot, scope: TypeLinks): CodeSpan {
  const parts = typeParts(shape, scope);
  return { kind: "code", parts: nullable ? [...parts, { text: " | null" }] : parts };
}

/** A JSON value on one line. */
export function valueText(value: Json): string {
  return JSON.stringify(value);
}

function typeParts(shape: Shape, scope: TypeLinks): readonly CodePart[] {
  switch (shape.kind) {
    case "any":
      return [{ text: "any" }];
    case "null":
      return [{ text: "null" }];
    case "scalar":
      return [{ text: String(shape.constant ?? shape.type) }];
    case "reference":
      return [{ text: shape.name, url: scope.toType(shape.name) }];
    case "list":
      return [...grouped(shape.items, scope), { text: "[]" }];
    case "map":
      return [{ text: "{ [key]: " }, ...typeCode(shape.values, scope).parts, { text: " }" }];
    case "object":
    case "tagged":
      return [{ text: "object" }];
    case "enum":
      if (!isListed(shape)) return [{ text: shape.type }];
      return alternatives([
        ...shape.values.map(({ value }) => [{ text: valueText(value) }]),
        ...(shape.open ? [[{ text: shape.type }]] : []),
      ]);
    case "union":
      if (!isListed(shape) && shape.variants.length > 1)
        return [{ text: `one of ${shape.variants.length}` }];
      return alternatives(shape.variants.map(({ slot }) => typeCode(slot, scope).parts));
    default:
      return shape satisfies never;
  }
}

function grouped(slot: Slot, scope: TypeLinks): readonly CodePart[] {
  const { parts } = typeCode(slot, scope);
  const several =
    slot.nullable ||
    ((slot.shape.kind === "enum" || slot.shape.kind === "union") && parts.length > 1);
  return several ? [{ text: "(" }, ...parts, { text: ")" }] : parts;
}

function alternatives(all: readonly (readonly CodePart[])[]): readonly CodePart[] {
  return all.flatMap((parts, index) => (index === 0 ? parts : [{ text: " | " }, ...parts]));
}
