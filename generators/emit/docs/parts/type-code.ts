import type { Json } from "../../../schema/json-schema/json.js";
import type { EnumShape, Shape, Slot, UnionShape } from "../../../model/shape.js";
import type { CodePart, CodeSpan } from "../../../output/markup.js";
import type { TypeLinks } from "../site-types.js";

/** More alternatives than this are counted in the type and listed below it. */
const LISTED = 4;

/** A type as code, e.g. `McpServer[] | null`; definitions are links. */
export function typeCode({ shape, nullable }: Slot, scope: TypeLinks): CodeSpan {
  const parts = typeParts(shape, scope);
  return { kind: "code", parts: nullable ? [...parts, { text: " | null" }] : parts };
}

/** A JSON value on one line. */
export function valueText(value: Json): string {
  return JSON.stringify(value);
}

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

function isListed(shape: EnumShape | UnionShape): boolean {
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

function typeParts(shape: Shape, scope: TypeLinks): readonly CodePart[] {
  switch (shape.kind) {
    case "any":
      return [{ text: "any" }];
    case "null":
      return [{ text: "null" }];
    case "scalar":
      return [{ text: shape.type }];
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
