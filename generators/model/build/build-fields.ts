import type { JsonSchema } from "../../schema/json-schema/json.js";
import { referencedName } from "../../schema/json-schema/references.js";
import { unionKeyword } from "../../schema/json-schema/variants.js";
import type { Path } from "../../schema/json-schema/walk.js";
import type { Gate } from "../gate.js";
import type { Field, ObjectShape, Slot } from "../shape.js";
import { buildGate } from "./build-gate.js";
import { descriptionOf } from "./description.js";
import { unsupported, type ShapeContext } from "./shape-context.js";

/** With more, a definition is copies of copies. */
const MOST_FIELDS = 20_000;

/** Builds a place that may also be null: `type: [T, "null"]` or `anyOf: [X, null]`. */
export function buildSlot(schema: JsonSchema, context: ShapeContext, path: Path = []): Slot {
  if (Array.isArray(schema.type) && schema.type.includes("null")) {
    const types = schema.type.filter((type) => type !== "null");
    const type = types.length === 1 ? types[0]! : types;
    return { shape: context.shapeOf({ ...schema, type }, context, path), nullable: true };
  }
  const { anyOf, ...rest } = schema;
  if (anyOf?.length === 2 && anyOf[1]?.type === "null" && rest.properties === undefined) {
    return { shape: context.shapeOf(anyOf[0]!, context, [...path, "anyOf", 0]), nullable: true };
  }
  return { shape: context.shapeOf(schema, context, path), nullable: false };
}

/** Builds an object of known properties. */
export function objectShape(
  schema: JsonSchema,
  context: ShapeContext,
  path: Path,
  except?: string,
): ObjectShape {
  const { additionalProperties: others, "x-excludes": excludes } = schema;
  const patterns = Object.entries(schema.patternProperties ?? {}).map(([pattern, values]) => ({
    pattern,
    values: buildSlot(values, context, [...path, "patternProperties", pattern]),
  }));
  return {
    kind: "object",
    fields: buildFields(schema, context, path, except),
    ...(others === true && except === undefined && { extensible: true }),
    ...(others === false && { closed: true }),
    ...(patterns.length > 0 && { patterns }),
    ...(typeof others === "object" && {
      others: buildSlot(others, context, [...path, "additionalProperties"]),
    }),
    ...(excludes !== undefined && { excludes }),
  };
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
    if (limitsOthers(schema) || limitsOthers(target))
      throw unsupported(
        context,
        at,
        "an object that limits other properties cannot be combined with allOf",
        "Write the properties of both in one object.",
      );
    if (name === undefined) return buildFields(target, context, at);
    const { copying = [] } = context;
    if (copying.includes(name)) {
      const message = `"${name}" would contain a copy of itself`;
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

/** Checks whether an object limits properties that it does not describe. */
function limitsOthers({
  additionalProperties: others = true,
  patternProperties,
}: JsonSchema): boolean {
  return others !== true || patternProperties !== undefined;
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
    description: descriptionOf(property),
    ...(property.deprecated === true && { deprecated: true as const }),
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
