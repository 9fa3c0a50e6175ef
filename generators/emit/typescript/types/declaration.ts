import type { JSONSchema } from "json-schema-to-typescript";
import type { Definition } from "../../../model/protocol.js";
import {
  code,
  identifier,
  indentLines,
  joinCode,
  printedCode,
  propertyName,
  type Code,
} from "../../../output/code.js";
import { printShape, READONLY, type PrintContext } from "./print.js";

/** Prints a definition for readers: the type that the package has, without comments. */
export function printDeclaration({ identifier: id, shape }: Definition, to: PrintContext): Code {
  const names = { type: (type: Code) => type, key: propertyName, doc: () => ({}) };
  const type = printType(printShape(shape, { ...to, ...names }));
  return indentLines(
    shape.kind === "object" && shape.fields.length > 0
      ? code`interface ${identifier(id)} ${type}`
      : code`type ${identifier(id)} = ${type};`,
  );
}

/** Prints the type of a schema that json-schema-to-typescript reads, of the kinds that we give it. */
function printType(schema: JSONSchema): Code {
  const { type, tsType, anyOf, allOf, items, properties, additionalProperties } = schema;
  if (tsType !== undefined) return printedCode(tsType);
  if (anyOf !== undefined) return printUnion(alternatives(schema));
  if (allOf !== undefined) {
    const [first, ...others] = allOf.map(inParentheses);
    return isList(schema) ? code`readonly ${others}` : joinCode([first!, ...others], " & ");
  }
  if (type === "array") return code`${inParentheses(items as JSONSchema)}[]`;
  if (properties !== undefined) return printProperties(schema);
  if (type === "object")
    return code`{ [k: string]: ${printType(additionalProperties as JSONSchema)} }`;
  return printedCode(type === "integer" ? "number" : String(type));
}

function printProperties({
  properties = {},
  required = [],
  additionalProperties,
}: JSONSchema): Code {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = (required as readonly string[]).includes(name) ? code`` : code`?`;
    return code`${printedCode(name)}${mark}: ${printType(schema)};`;
  });
  const others = additionalProperties === true ? [code`[k: string]: unknown;`] : [];
  return code`{
${[...lines, ...others]}
}`;
}

/** Prints alternatives in a line, or each in a line of its own where that would be long. */
function printUnion(types: readonly Code[]): Code {
  const line = joinCode(types, " | ");
  if (types.length < 2 || (line.length < 70 && !line.includes("\n"))) return line;
  return printedCode(types.map((type) => `\n| ${inOneLine(type)}`).join(""));
}

/** Prints an object among alternatives, such as the tag of a variant, in a line unless that is long. */
function inOneLine(type: Code): string {
  return type.replace(/\{\n((?:[^{}]|\$\{\w+\})+);\n\}/, (lines, properties: string) => {
    const line = `{ ${properties.replaceAll("\n", " ")} }`;
    return line.length < 70 ? line : lines;
  });
}

/** Returns the different alternatives of a schema, with those of unions inside. */
function alternatives({ anyOf = [] }: JSONSchema): readonly Code[] {
  const all = anyOf.flatMap((one) => {
    if (one.anyOf !== undefined) return alternatives(one);
    return [isList(one) ? printType(one) : inParentheses(one)];
  });
  return [...new Set(all)];
}

/** Prints a type that may stand next to any operator. */
function inParentheses(schema: JSONSchema): Code {
  const type = printType(schema);
  const isUnion = schema.anyOf !== undefined && alternatives(schema).length > 1;
  return isUnion || schema.allOf !== undefined ? code`(${type})` : type;
}

function isList({ allOf }: JSONSchema): boolean {
  return allOf?.[0]?.tsType === READONLY;
}
