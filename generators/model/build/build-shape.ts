import type { Json, JsonSchema } from "../../schema/json-schema/json.js";
import { referencedName } from "../../schema/json-schema/references.js";
import { InputError } from "../../schema/problem.js";
import { tagName, unionKeyword } from "../../schema/json-schema/variants.js";
import { buildGate, type GateContext } from "./build-gate.js";
import { buildEnum, buildTagged, buildUnion, isEnum } from "./build-union.js";
import type { Gate } from "../protocol.js";
import type { Field, ScalarShape, Shape, Slot } from "../shape.js";

/** What building a shape needs to know about its surroundings. */
export type ShapeContext = GateContext & {
  /** The definitions whose properties are being copied because of an `allOf`, from the outside in. */
  readonly copying?: readonly string[];
  /** How many properties the definition has got so far, at any depth. */
  readonly counter: { fields: number };
};

/** With more, a definition is copies of copies. */
const MOST_FIELDS = 20_000;

type Path = readonly (string | number)[];

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
        return { kind: "object", fields: buildFields(schema, context, path) };
      }
      return { kind: "any" };
  }
}

/** Builds a place that may also be null: `type: [T, "null"]` or `anyOf: [X, null]`. */
export function buildSlot(schema: JsonSchema, context: ShapeContext, path: Path = []): Slot {
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((type) => type !== "null");
    const type = types.length === 1 ? types[0]! : types;
    return { shape: buildShape({ ...schema, type }, context, path), nullable: true };
  }
  const { anyOf, ...rest } = schema;
  if (anyOf?.length === 2 && anyOf[1]?.type === "null" && rest.properties === undefined) {
    return { shape: buildShape(anyOf[0]!, context, [...path, "anyOf", 0]), nullable: true };
  }
  return { shape: buildShape(schema, context, path), nullable: false };
}

/**
 * The properties of an object schema, with those of everything that its
 * `allOf` refers to.
 *
 * @param except a property to leave out: the tag of a union
 */
export function buildFields(
  schema: JsonSchema,
  context: ShapeContext,
  path: Path,
  except?: string,
): Field[] {
  const inherited = (schema.allOf ?? []).flatMap((part, index) => {
    const at = [...path, "allOf", index];
    const name = referencedName(part);
    const target = name === undefined ? part : context.schemaOf(name);
    if (
      target === undefined ||
      unionKeyword(target) !== undefined ||
      (target.type ?? "object") !== "object"
    ) {
      throw unsupported(
        context,
        at,
        "only objects can be combined with allOf",
        "Refer to an object without alternatives.",
      );
    }
    if (name === undefined) return buildFields(target, context, at);
    const { copying = [] } = context;
    if (copying.includes(name)) {
      const message = `"${name}" would have to hold a copy of itself`;
      throw unsupported(context, at, message, "Refer to it without allOf in one place.");
    }
    return buildFields(target, { ...context, copying: [...copying, name] }, at);
  });
  const own = Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== except)
    .map(([name, property]) =>
      buildField(name, property, schema, context, [...path, "properties", name]),
    );
  const names = new Set(own.map(({ name }) => name));
  return [...inherited.filter(({ name }) => !names.has(name)), ...own];
}

function buildField(
  name: string,
  property: JsonSchema,
  owner: JsonSchema,
  context: ShapeContext,
  path: Path,
): Field {
  if (++context.counter.fields > MOST_FIELDS) {
    const message = `there would be more than ${MOST_FIELDS} properties`;
    throw unsupported(context, path, message, "Copy fewer of them with allOf.");
  }
  const gate = property["x-gate"] && buildGate(property["x-gate"], context, [...path, "x-gate"]);
  return {
    name,
    ...buildSlot(property, context, path),
    description: property.description ?? "",
    required: owner.required?.includes(name) ?? false,
    ...(property.default !== undefined && { default: property.default }),
    decode: {
      defaultOnError: property["x-deserialize-default-on-error"] ?? false,
      defaultOnNull: property["x-deserialize-default-on-null"] ?? false,
      skipInvalidItems: property["x-deserialize-skip-invalid-items"] ?? false,
    },
    ...(gate !== undefined && { gate }),
    variantGates: variantGates(property, context, path),
    ...(property["x-feature"] !== undefined && { feature: property["x-feature"] }),
  };
}

function variantGates(
  property: JsonSchema,
  context: ShapeContext,
  path: Path,
): { readonly [tag: string]: Gate } {
  const entries = Object.entries(property["x-variant-gates"] ?? {});
  return Object.fromEntries(
    entries.map(([tag, gate]) => [
      tag,
      buildGate(gate, context, [...path, "x-variant-gates", tag]),
    ]),
  );
}

/** The definition that a schema does nothing but refer to. */
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
  if (schema.properties === undefined && schema.allOf === undefined && values !== undefined) {
    const slot =
      typeof values === "object"
        ? buildSlot(values, context, [...path, "additionalProperties"])
        : anySlot();
    return { kind: "map", values: slot };
  }
  if (typeof values === "object") {
    throw unsupported(
      context,
      [...path, "additionalProperties"],
      "an object cannot have properties and be a map as well",
      "Move the map into a property of its own.",
    );
  }
  const fields = buildFields(schema, context, path);
  return { kind: "object", fields, ...(values === true && { extensible: true }) };
}

function scalar(schema: JsonSchema, type: ScalarShape["type"]): ScalarShape {
  const { format, contentEncoding, minimum, maximum, minLength, maxLength, pattern } = schema;
  return {
    kind: "scalar",
    type,
    ...(format !== undefined && { format }),
    ...(contentEncoding !== undefined && { encoding: contentEncoding }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** `type: ["string", "integer"]`: one variant a type. */
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

/** The error for a schema that follows the dialect but has no shape in the model. */
export function unsupported(
  context: ShapeContext,
  path: Path,
  message: string,
  hint: string,
): InputError {
  return new InputError([{ ...context.place(path), message, hint }]);
}

/** A JSON value that can be an enumeration's value. */
export function isEnumValue(value: Json): value is string | number {
  return typeof value === "string" || Number.isInteger(value);
}
