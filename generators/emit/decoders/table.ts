import type { Definition } from "../../model/protocol.js";
import type { Field, Shape, Slot, TaggedShape } from "../../model/shape.js";
import { code, identifier, joinCode, literal, propertyKey, type Code } from "../../output/code.js";
import type { Json } from "../../schema/json.js";
import { Flag, Op } from "./operations.js";

/** The name of the table of a definition. */
export function tableName(identifierOfType: string): Code {
  return identifier(`shapeOf${identifierOfType}`);
}

/** Prints the table that the runtime reads slowly and precisely, for one definition. */
export function printTable(definition: Definition, tableOf: (name: string) => Code): Code {
  return code`export const ${tableName(definition.identifier)}: Node = ${node(definition.shape, tableOf)};`;
}

type TableOf = (name: string) => Code;

function node(shape: Shape, tableOf: TableOf): Code {
  switch (shape.kind) {
    case "any":
      return row(Op.Any);
    case "null":
      return row(Op.Null);
    case "scalar":
      return scalar(shape);
    case "enum":
      return row(
        Op.Enum,
        literal(shape.values.map(({ value }) => value)),
        literal(shape.open ? 1 : 0),
      );
    case "list":
      return row(
        Op.List,
        slot(shape.items, tableOf),
        optional(shape.minItems),
        optional(shape.maxItems),
      );
    case "map":
      return row(Op.Map, slot(shape.values, tableOf));
    case "object":
      return row(Op.Object, fields(shape.fields, tableOf));
    case "reference":
      return row(Op.Reference, code`() => ${tableOf(shape.name)}`);
    case "tagged":
      return row(Op.Tagged, tagged(shape, tableOf));
    case "union":
      return row(
        Op.Union,
        code`[${joinCode(
          shape.variants.map((variant) => slot(variant.slot, tableOf)),
          ", ",
        )}]`,
        literal(shape.exclusive ? 1 : 0),
        fields(shape.shared, tableOf),
      );
    default:
      return shape satisfies never;
  }
}

function scalar(shape: Extract<Shape, { kind: "scalar" }>): Code {
  switch (shape.type) {
    case "boolean":
      return row(Op.Boolean);
    case "string":
      return row(
        Op.String,
        optional(shape.minLength),
        optional(shape.maxLength),
        optional(shape.pattern),
      );
    case "integer":
      return row(Op.Integer, optional(shape.minimum), optional(shape.maximum));
    case "number":
      return row(Op.Number, optional(shape.minimum), optional(shape.maximum));
    default:
      return shape.type satisfies never;
  }
}

/** One row; what is not given at its end is left out. */
function row(op: number, ...parts: readonly (Code | undefined)[]): Code {
  const last = parts.findLastIndex((part) => part !== undefined);
  const given = parts.slice(0, last + 1).map((part) => part ?? code`undefined`);
  return code`[${joinCode([literal(op), ...given], ", ")}]`;
}

function optional(value: number | string | undefined): Code | undefined {
  return value === undefined ? undefined : literal(value);
}

function slot({ shape, nullable }: Slot, tableOf: TableOf): Code {
  return nullable ? code`[${node(shape, tableOf)}, 1]` : code`[${node(shape, tableOf)}]`;
}

function fields(list: readonly Field[], tableOf: TableOf): Code {
  return code`[${joinCode(
    list.map((field) => printField(field, tableOf)),
    ", ",
  )}]`;
}

function printField(field: Field, tableOf: TableOf): Code {
  const flags =
    (field.required ? Flag.Required : 0) +
    (field.nullable ? Flag.Nullable : 0) +
    (field.decode.defaultOnError ? Flag.DefaultOnError : 0) +
    (field.decode.defaultOnNull ? Flag.DefaultOnNull : 0) +
    (field.decode.skipInvalidItems ? Flag.SkipInvalidItems : 0) +
    (field.default === undefined ? 0 : Flag.HasDefault);
  const parts = [literal(field.name), node(field.shape, tableOf), literal(flags)];
  return code`[${joinCode(field.default === undefined ? parts : [...parts, literal(field.default)], ", ")}]`;
}

function tagged(shape: TaggedShape, tableOf: TableOf): Code {
  const variants = shape.variants.map(
    ({ value, body }) => code`${propertyKey(value)}: ${node(body, tableOf)}`,
  );
  const others = (["open", "fallback", "absent"] as const).flatMap((role) => {
    const other = shape[role];
    return other === undefined ? [] : [code`${identifier(role)}: ${node(other.body, tableOf)}`];
  });
  return code`{ ${joinCode(
    [
      code`tag: ${literal(shape.tag)}`,
      code`variants: { ${joinCode(variants, ", ")} }`,
      ...others,
      ...(shape.tagField?.decode.defaultOnError
        ? [code`lenientTag: ${literal(1 satisfies Json)}`]
        : []),
      code`shared: ${fields(shape.shared, tableOf)}`,
    ],
    ", ",
  )} }`;
}
