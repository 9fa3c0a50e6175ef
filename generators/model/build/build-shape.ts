import type { JsonSchema } from "../../schema/json-schema/json.js";
import { referencedName } from "../../schema/json-schema/references.js";
import { tagName, unionKeyword } from "../../schema/json-schema/variants.js";
import type { Path } from "../../schema/json-schema/walk.js";
import type { ScalarShape, Shape, Slot } from "../shape.js";
import { buildSlot, objectShape } from "./build-fields.js";
import { buildEnum, buildTagged, buildUnion, isEnum } from "./build-union.js";
import type { ShapeContext } from "./shape-context.js";

/** Builds the shape of a schema; the path leads to it from its definition. */
export function buildShape(schema: JsonSchema, context: ShapeContext, path: Path = []): Shape {
  const reference = referenceOf(schema);
  if (reference !== undefined) return { kind: "reference", name: reference };
  if (isEnum(schema)) return buildEnum(schema, context);
  if (unionKeyword(schema) !== undefined) {
    const tag = tagName(schema);
    return tag === undefined
      ? buildUnion(schema, context, path)
      : buildTagged(schema, tag, context, path);
  }
  if (Array.isArray(schema.type)) return unionOfTypes(schema, context, path);
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return scalar(schema, schema.type);
    case "null":
      return { kind: "null" };
    case "array":
      return {
        kind: "list",
        items:
          schema.items === undefined
            ? anySlot()
            : buildSlot(schema.items, context, [...path, "items"]),
        ...(schema.minItems !== undefined && { minItems: schema.minItems }),
        ...(schema.maxItems !== undefined && { maxItems: schema.maxItems }),
      };
    case "object":
      return objectOrMap(schema, context, path);
    default:
      if (schema.properties !== undefined || schema.allOf !== undefined) {
        return objectShape(schema, context, path);
      }
      return { kind: "any" };
  }
}

/** Returns the definition that a schema is only a reference to. */
function referenceOf(schema: JsonSchema): string | undefined {
  if (schema.$ref !== undefined) return referencedName(schema);
  if (
    schema.allOf?.length !== 1 ||
    schema.properties !== undefined ||
    unionKeyword(schema) !== undefined
  ) {
    return undefined;
  }
  return referencedName(schema.allOf[0]!);
}

function objectOrMap(schema: JsonSchema, context: ShapeContext, path: Path): Shape {
  const values = schema.additionalProperties;
  const hasValues = values !== undefined && values !== false;
  const isPlain = schema.allOf === undefined && schema.patternProperties === undefined;
  if (schema.properties === undefined && isPlain && hasValues) {
    const slot =
      typeof values === "object"
        ? buildSlot(values, context, [...path, "additionalProperties"])
        : anySlot();
    return { kind: "map", values: slot };
  }
  return objectShape(schema, context, path);
}

function scalar(schema: JsonSchema, type: ScalarShape["type"]): ScalarShape {
  const { format, contentEncoding, minimum, maximum, minLength, maxLength, pattern } = schema;
  const { exclusiveMinimum, exclusiveMaximum, const: constant } = schema;
  return {
    kind: "scalar",
    type,
    ...(typeof constant === "boolean" && { constant }),
    ...(format !== undefined && { format }),
    ...(contentEncoding !== undefined && { encoding: contentEncoding }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(exclusiveMinimum !== undefined && { exclusiveMinimum }),
    ...(exclusiveMaximum !== undefined && { exclusiveMaximum }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** `type: ["string", "integer"]`: one variant per type. */
function unionOfTypes(schema: JsonSchema, context: ShapeContext, path: Path): Shape {
  const types = schema.type as readonly string[];
  return {
    kind: "union",
    exclusive: false,
    shared: [],
    variants: types.map((type) => ({
      name: type,
      description: "",
      slot: { shape: buildShape({ ...schema, type }, context, path), nullable: false },
    })),
  };
}

function anySlot(): Slot {
  return { shape: { kind: "any" }, nullable: false };
}
