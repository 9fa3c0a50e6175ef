import type { BundleDefinition } from "./bundle.js";
import { isObject, type Json, type JsonSchema } from "./json.js";
import { referencedName } from "./references.js";
import { isOpenVariant, tagName, tagOf, variantsOf } from "./variants.js";
import { mapSchema } from "./walk.js";

type DefinitionMap = ReadonlyMap<string, Pick<BundleDefinition, "schema">>;

const META_DESCRIPTION =
  "Reserved for metadata that clients and agents attach to their messages. Implementations MUST NOT assume anything about values at keys they do not know. Absent and `null` mean the same.";

/**
 * Turns a definition as written in a module into its published form: `$ref`
 * with siblings becomes `allOf`, `x-meta` the `_meta` property, open variants
 * get their `not`, `default: {}` on a reference the defaults of what it refers to.
 *
 * @param markers which method the definition belongs to
 */
export function deriveDefinition(
  schema: JsonSchema,
  definitions: DefinitionMap,
  markers: { readonly "x-side"?: string; readonly "x-method"?: string },
): JsonSchema {
  const derived = mapSchema(schema, (part) =>
    withDefaults(withNot(withMeta(withAllOf(part))), definitions),
  );
  return { ...derived, ...markers };
}

/** The name a bare or wrapped reference points to. */
function referenceOf(schema: JsonSchema): string | undefined {
  const [only, ...more] = schema.allOf ?? [];
  return referencedName(schema) ?? (only && more.length === 0 ? referencedName(only) : undefined);
}

/** The published schemas never write keywords beside a `$ref`. */
function withAllOf(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  if ($ref === undefined || Object.keys(rest).length === 0) return schema;
  return { ...rest, allOf: [{ $ref }, ...(rest.allOf ?? [])] };
}

function withMeta(schema: JsonSchema): JsonSchema {
  const { "x-meta": meta, ...rest } = schema;
  if (meta === undefined) return schema;
  const property: JsonSchema = {
    description: meta === true ? META_DESCRIPTION : meta,
    type: ["object", "null"],
    additionalProperties: true,
    "x-deserialize-default-on-error": true,
  };
  return { ...rest, properties: { ...rest.properties, _meta: property } };
}

/** The variant for unknown tags excludes every known one. */
function withNot(schema: JsonSchema): JsonSchema {
  const tag = tagName(schema);
  if (tag === undefined) return schema;
  const variants = variantsOf(schema);
  const known = variants.flatMap((variant): JsonSchema[] => {
    const value = tagOf(variant)?.value;
    if (value === undefined) return [];
    return [
      { type: "object", properties: { [tag]: { type: "string", const: value } }, required: [tag] },
    ];
  });
  const close = (variant: JsonSchema): JsonSchema =>
    isOpenVariant(variant, tag) ? { ...variant, not: { anyOf: known } } : variant;
  if (schema.oneOf !== undefined) return { ...schema, oneOf: schema.oneOf.map(close) };
  return { ...schema, anyOf: variants.map(close) };
}

function withDefaults(schema: JsonSchema, definitions: DefinitionMap): JsonSchema {
  const name = referenceOf(schema);
  if (name === undefined || !isObject(schema.default)) return schema;
  return { ...schema, default: completed(schema.default, name, definitions, []) };
}

/** An object default with the defaults of the properties it leaves out, recursively. */
function completed(
  value: Json,
  name: string,
  definitions: DefinitionMap,
  seen: readonly string[],
): Json {
  const definition = definitions.get(name)?.schema;
  if (!isObject(value) || definition === undefined || seen.includes(name)) return value;
  const entries = Object.entries(definition.properties ?? {}).flatMap(
    ([key, property]): [string, Json][] => {
      const own = Object.hasOwn(value, key) ? value[key] : property.default;
      if (own === undefined) return [];
      const target = referenceOf(property);
      return [
        [key, target === undefined ? own : completed(own, target, definitions, [...seen, name])],
      ];
    },
  );
  return Object.fromEntries(entries);
}
