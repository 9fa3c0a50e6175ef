import type { AliasPart, Part, RecordPart } from "../../model/parts/part.js";
import { fieldsOf } from "../../model/parts/fields-of.js";
import { columns, go, identifier, indent, joinGo, type Go } from "./code.js";
import {
  extraType,
  fieldType,
  isInterface,
  slotType,
  typeName,
  type GoContext,
} from "./context.js";
import { listedValues } from "./limits.js";
import { printInterface } from "./types.js";

/**
 * Prints what belongs to a definition without documentation: its own type, and a struct for each
 * object in it.
 */
export function printDeclaration(definition: string, context: GoContext): Go {
  const inside = context.printed.filter(
    ({ kind, name, path }) => kind === "record" && path[0] === definition && name !== definition,
  );
  const declared = [context.parts.get(definition)!, ...inside];
  return joinGo(
    declared.map((part) => printType(part, context)),
    "\n",
  );
}

function printType(part: Part, context: GoContext): Go {
  if (isInterface(part)) return printInterface(part, context);
  return part.kind === "record" ? printStruct(part, context) : printAlias(part, context);
}

function printStruct(record: RecordPart, context: GoContext): Go {
  const fields = fieldsOf(record, context.parts).map((field): readonly [Go, Go] => [
    identifier(context.names.fieldOf(record.name, field.name)),
    fieldType(field, record, context),
  ]);
  const body = columns([...fields, [go`Extra`, extraType(record, context)]]);
  return go`type ${typeName(record.name, context)} struct {\n${indent(body)}}\n`;
}

function printAlias({ name: part, shape, values = [] }: AliasPart, context: GoContext): Go {
  const name = identifier(context.names.typeOf(part));
  if (shape.kind === "reference") return go`type ${name} = ${typeName(shape.name, context)}\n`;
  const declared = go`type ${name} ${slotType({ shape, nullable: false }, context)}\n`;
  if (shape.kind !== "enum" || values.length === 0) return declared;
  const constants = listedValues(shape).map((value, index): readonly [Go, Go] => [
    identifier(context.names.constantOf(values[index]!.name)),
    go`${name} = ${value}`,
  ]);
  return go`${declared}\nconst (\n${indent(columns(constants))})\n`;
}
