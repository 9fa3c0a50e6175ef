import type { Json, JsonSchema } from "../../schema/json-schema/json.js";
import { mapSchema } from "../../schema/json-schema/walk.js";

/** A schema without differences that mean the same to every value, for comparison. */
export function toPlainForm(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, (part) => toList(unwrap(part)));
}

/** Replaces an `allOf` of one reference by that reference; drops names and redundant keywords. */
function unwrap(schema: JsonSchema): JsonSchema {
  const { discriminator: _, title: __, description: ___, ...described } = schema;
  const { "x-state": ____, "x-scope": _____, ...named } = described;
  const { additionalProperties, allOf, ...rest } = named;
  const [only] = allOf ?? [];
  const isWrapped =
    allOf?.length === 1 && only?.$ref !== undefined && Object.keys(only).length === 1;
  return {
    ...rest,
    ...(isWrapped ? only : allOf && { allOf }),
    ...((typeof additionalProperties === "object" || additionalProperties === false) && {
      additionalProperties,
    }),
  };
}

/** Replaces constants and unions of constants by lists of values with a type. */
function toList({ const: constant, ...rest }: JsonSchema): JsonSchema {
  const values = constant === undefined ? rest.enum && [...new Set(rest.enum)] : [constant];
  if (values !== undefined) {
    const { type, ...others } = rest;
    return isTypeOf(type, values) ? { ...others, enum: values } : { ...rest, enum: values };
  }
  const { oneOf, anyOf, ...others } = rest;
  const variants = oneOf ?? anyOf;
  if (variants === undefined || !variants.every(isList)) return rest;
  return { ...others, ...variants[0]!, enum: variants.flatMap((variant) => variant.enum!) };
}

function isTypeOf(type: JsonSchema["type"], values: readonly Json[]): boolean {
  if (type === "integer") return values.every(Number.isInteger);
  return values.every((value) => typeof value === type);
}

function isList(schema: JsonSchema): boolean {
  return Object.keys(schema).every((key) => key === "enum" || key === "format");
}
