import type { Definition } from "../protocol.js";
import type {
  EnumShape,
  Field,
  OtherVariant,
  ScalarShape,
  Shape,
  Slot,
  TaggedShape,
  UnionShape,
} from "../shape.js";
import { exclude, type JsonSchema } from "../../schema/json-schema/json.js";
import { publishedSide } from "../../schema/source/sources.js";

/**
 * The inverse of `buildShape`, as far as verdicts and types go: whatever it
 * cannot rebuild is information that the model has lost. Text stays away.
 */
export function definitionToSchema(definition: Definition): JsonSchema {
  const { shape, messages, envelope, state, scope } = definition;
  const [message] = messages;
  return {
    ...wrapped(shapeToSchema(shape)),
    ...(message !== undefined && {
      "x-side": publishedSide(messages.map(({ side }) => side)),
      "x-method": message.method,
    }),
    ...(envelope && { "x-docs-ignore": true }),
    ...(state && { "x-state": state }),
    ...(scope && { "x-scope": scope }),
  };
}

function shapeToSchema(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case "any":
      return {};
    case "null":
      return { type: "null" };
    case "scalar":
      return scalarToSchema(shape);
    case "enum":
      return enumToSchema(shape);
    case "list":
      return {
        type: "array",
        items: slotToSchema(shape.items),
        ...(shape.minItems !== undefined && { minItems: shape.minItems }),
        ...(shape.maxItems !== undefined && { maxItems: shape.maxItems }),
      };
    case "map":
      return { type: "object", additionalProperties: valuesToSchema(shape.values) };
    case "object":
      return {
        type: "object",
        ...fieldsToSchema(shape.fields),
        ...(shape.extensible && { additionalProperties: true }),
        ...(shape.closed && { additionalProperties: false }),
        ...(shape.others && { additionalProperties: slotToSchema(shape.others) }),
        ...(shape.patterns && {
          patternProperties: Object.fromEntries(
            shape.patterns.map(({ pattern, values }) => [pattern, slotToSchema(values)]),
          ),
        }),
        ...(shape.excludes && { propertyNames: exclude(shape.excludes) }),
      };
    case "reference":
      return reference(shape.name);
    case "tagged":
      return taggedToSchema(shape);
    case "union":
      return unionToSchema(shape);
    default:
      return shape satisfies never;
  }
}

/** `null` is one more type of an inline schema, and one more alternative of any other. */
function slotToSchema({ shape, nullable }: Slot): JsonSchema {
  const schema = shapeToSchema(shape);
  if (!nullable) return schema;
  if (typeof schema.type === "string" && schema.anyOf === undefined)
    return { ...schema, type: [schema.type, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}

function scalarToSchema({ kind: _, encoding, constant, ...keywords }: ScalarShape): JsonSchema {
  return {
    ...keywords,
    ...(constant !== undefined && { const: constant }),
    ...(encoding !== undefined && { contentEncoding: encoding }),
  };
}

/** A closed enumeration is a `oneOf`, an open one an `anyOf` that ends in the type. */
function enumToSchema({ type, values, open, format }: EnumShape): JsonSchema {
  const base = { type, ...(format !== undefined && { format }) };
  const constants = values.map(({ value }) => ({ ...base, const: value }));
  return open === undefined
    ? { oneOf: constants }
    : { anyOf: [...constants, { ...base, title: open.title }] };
}

function valuesToSchema(values: Slot): boolean | JsonSchema {
  return values.shape.kind === "any" ? true : slotToSchema(values);
}

function fieldsToSchema(fields: readonly Field[]): JsonSchema {
  if (fields.length === 0) return {};
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldToSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

function fieldToSchema(field: Field): JsonSchema {
  const { decode } = field;
  return {
    ...wrapped(slotToSchema(field)),
    ...(field.default !== undefined && { default: field.default }),
    ...(decode.defaultOnError && { "x-deserialize-default-on-error": true }),
    ...(decode.defaultOnNull && { "x-deserialize-default-on-null": true }),
    ...(decode.skipInvalidItems && { "x-deserialize-skip-invalid-items": true }),
  };
}

function reference(name: string): JsonSchema {
  return { $ref: `#/$defs/${name}` };
}

/** Wraps a reference that has its own text or flags in an `allOf`. */
function wrapped(schema: JsonSchema): JsonSchema {
  return schema.$ref === undefined ? schema : { allOf: [schema] };
}

/**
 * A closed union with a tag is a `oneOf` with a discriminator; an `anyOf` as
 * soon as one variant takes what the others do not.
 */
function taggedToSchema(shape: TaggedShape): JsonSchema {
  const { tag, open, fallback, absent, shared, tagField } = shape;
  const known = shape.variants.map(({ value }) => tagSchema(tag, value));
  const variants = shape.variants.map(({ body, state }, index) => ({
    ...withBody(known[index]!, body),
    ...(state && { "x-state": state }),
  }));
  const other = (variant: OtherVariant | undefined, own: JsonSchema): JsonSchema[] =>
    variant === undefined ? [] : [{ ...withBody(own, variant.body), title: variant.title }];
  const others = [
    ...other(open, {
      type: "object",
      properties: { [tag]: { type: "string" } },
      required: [tag],
      ...(open?.body.kind === "union"
        ? { unevaluatedProperties: true }
        : { additionalProperties: true }),
      not: { anyOf: known },
    }),
    ...other(absent, { type: "object", properties: { [tag]: { type: "null" } } }),
    ...other(fallback, {}),
  ];
  const fields = tagField === undefined ? shared : [...shared, tagField];
  return {
    ...(fields.length > 0 && { type: "object", ...fieldsToSchema(fields) }),
    ...(others.length > 0
      ? { anyOf: [...variants, ...others] }
      : { oneOf: variants, discriminator: { propertyName: tag } }),
  };
}

function tagSchema(tag: string, value: string): JsonSchema {
  return {
    type: "object",
    properties: { [tag]: { type: "string", const: value } },
    required: [tag],
  };
}

/** Returns a variant's own keywords together with its body. */
function withBody(own: JsonSchema, body: Shape): JsonSchema {
  if (body.kind === "reference") return { ...own, allOf: [reference(body.name)] };
  const schema = shapeToSchema(body);
  const required = [...(own.required ?? []), ...(schema.required ?? [])];
  return {
    ...schema,
    ...own,
    ...((own.properties ?? schema.properties) && {
      properties: { ...own.properties, ...schema.properties },
    }),
    ...(required.length > 0 && { required }),
  };
}

function unionToSchema({ variants, exclusive, shared }: UnionShape): JsonSchema {
  const alternatives = variants.map(({ title, slot }) => ({
    ...wrapped(slotToSchema(slot)),
    ...(title !== undefined && { title }),
  }));
  return {
    ...(shared.length > 0 && { type: "object", ...fieldsToSchema(shared) }),
    ...(exclusive ? { oneOf: alternatives } : { anyOf: alternatives }),
  };
}
