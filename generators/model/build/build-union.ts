import type { JsonSchema } from "../../schema/json-schema/json.js";
import {
  hasConstant,
  isOpenVariant,
  tagOf,
  variantsOf,
} from "../../schema/json-schema/variants.js";
import type { Path } from "../../schema/json-schema/walk.js";
import { buildGate } from "./build-gate.js";
import { buildFields, buildSlot, objectShape } from "./build-fields.js";
import { isEnumValue, unsupported, type ShapeContext } from "./shape-context.js";
import type {
  EnumShape,
  EnumValue,
  OtherVariant,
  Shape,
  TaggedShape,
  TaggedVariant,
  UnionShape,
} from "../shape.js";

/**
 * Checks whether a schema lists constants: alone, in `enum`, or as variants with at most one for all
 * others. A value that fits two variants of `oneOf` is not valid, so that they are a union.
 */
export function isEnum(schema: JsonSchema): boolean {
  if (schema.const !== undefined) return isEnumValue(schema.const);
  if (schema.enum !== undefined) return schema.enum.every(isEnumValue);
  const variants = variantsOf(schema);
  const constants = variants.filter(
    ({ const: value }) => value !== undefined && isEnumValue(value),
  );
  const rest = variants.filter(({ const: value }) => value === undefined);
  const isApart =
    rest.length === 0 && new Set(constants.map((one) => one.const)).size === constants.length;
  return (
    constants.length > 0 &&
    (schema.oneOf === undefined || isApart) &&
    rest.length <= 1 &&
    constants.length + rest.length === variants.length &&
    rest.every(({ type }) => type === "string" || type === "integer")
  );
}

export function buildEnum(schema: JsonSchema, context: ShapeContext): EnumShape {
  const variants = variantsOf(schema);
  const listed = variants.length > 0 ? variants.filter(hasConstant) : [schema];
  const values: EnumValue[] =
    schema.enum !== undefined
      ? [...new Set(schema.enum)].filter(isEnumValue).map((value) => ({ value, description: "" }))
      : listed.map((variant) => enumValue(variant, context));
  const open = variants.find((variant) => !hasConstant(variant));
  const format = (variants[0] ?? schema).format;
  return {
    kind: "enum",
    type: typeof values[0]?.value === "number" ? "integer" : "string",
    values,
    ...(open !== undefined && {
      open: { title: open.title ?? "other", description: open.description ?? "" },
    }),
    ...(format !== undefined && { format }),
  };
}

function enumValue(variant: JsonSchema, context: ShapeContext): EnumValue {
  const gate = variant["x-gate"] && buildGate(variant["x-gate"], context, ["x-gate"]);
  return {
    value: variant.const as string | number,
    ...(variant.title !== undefined && { title: variant.title }),
    description: variant.description ?? "",
    ...(gate !== undefined && { gate }),
    ...(variant["x-feature"] !== undefined && { feature: variant["x-feature"] }),
  };
}

/** Builds a union whose variants the property `tag` distinguishes. */
export function buildTagged(
  schema: JsonSchema,
  tag: string,
  context: ShapeContext,
  path: Path,
): TaggedShape {
  const variants: TaggedVariant[] = [];
  const others: { open?: OtherVariant; fallback?: OtherVariant; absent?: OtherVariant } = {};
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  variantsOf(schema).forEach((variant, index) => {
    const at = [...path, keyword, index];
    const body = buildBody(variant, tag, context, at);
    const value = tagOf(variant)?.value;
    if (typeof value === "string") {
      const gate = variant["x-gate"] && buildGate(variant["x-gate"], context, [...at, "x-gate"]);
      variants.push({
        value,
        description: variant.description ?? "",
        body,
        ...(variant["x-state"] !== undefined && { state: variant["x-state"] }),
        ...(gate !== undefined && { gate }),
        ...(variant["x-feature"] !== undefined && { feature: variant["x-feature"] }),
      });
      return;
    }
    const role = isOpenVariant(variant, tag)
      ? "open"
      : variant.properties?.[tag]?.type === "null"
        ? "absent"
        : "fallback";
    if (others[role] !== undefined) {
      throw unsupported(
        context,
        at,
        "a union with a tag can have one variant without it",
        "Give the variant a tag.",
      );
    }
    others[role] = {
      title: variant.title ?? "other",
      description: variant.description ?? "",
      body,
    };
  });
  const tagField = buildFields(schema, context, path).find(({ name }) => name === tag);
  return {
    kind: "tagged",
    tag,
    ...(tagField !== undefined && { tagField }),
    variants,
    ...others,
    shared: buildFields(schema, context, path, tag),
  };
}

/** Returns the parts of a tagged union's variant other than its tag. */
function buildBody(variant: JsonSchema, tag: string, context: ShapeContext, path: Path): Shape {
  const { [tag]: _, ...properties } = variant.properties ?? {};
  const hasOwn = Object.keys(properties).length > 0;
  if (variant.anyOf !== undefined || variant.oneOf !== undefined) {
    return buildUnion({ ...variant, properties }, context, path);
  }
  if (!hasOwn && variant.allOf?.length === 1)
    return context.shapeOf(variant.allOf[0]!, context, [...path, "allOf", 0]);
  return objectShape(variant, context, path, tag);
}

/** A union without a tag. */
export function buildUnion(schema: JsonSchema, context: ShapeContext, path: Path): UnionShape {
  const keyword = schema.oneOf === undefined ? "anyOf" : "oneOf";
  return {
    kind: "union",
    exclusive: keyword === "oneOf",
    shared: buildFields(schema, context, path),
    variants: variantsOf(schema).map((variant, index) => ({
      name:
        variant.title ?? (typeof variant.type === "string" ? variant.type : `variant ${index + 1}`),
      ...(variant.title !== undefined && { title: variant.title }),
      description: variant.description ?? "",
      slot: buildSlot(variant, context, [...path, keyword, index]),
      ...(variant["x-feature"] !== undefined && { feature: variant["x-feature"] }),
    })),
  };
}
