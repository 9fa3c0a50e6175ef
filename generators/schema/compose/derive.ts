import type { BundleDefinition } from "./bundle.js";
import { isObject, type Json, type JsonSchema } from "../json-schema/json.js";
import { InputError, jsonPointer, type Problem } from "../problem.js";
import { referencedName } from "../json-schema/references.js";
import { isOpenVariant, tagName, tagOf, variantsOf } from "../json-schema/variants.js";
import { mapSchema, type Path } from "../json-schema/walk.js";

type DefinitionMap = ReadonlyMap<string, Pick<BundleDefinition, "schema">>;

const META_DESCRIPTION =
  "Reserved for metadata that clients and agents attach to their messages. Implementations MUST NOT assume anything about keys that they do not know, or about the values of those keys. Absent and `null` both mean that there is no metadata.";

/**
 * Turns a definition as written in a module into its published form: `$ref`
 * with siblings becomes `allOf`, `x-meta` the `_meta` property, open variants
 * get their `not`, `default: {}` on a reference the defaults of what it refers to.
 *
 * @param markers which method the definition belongs to
 * @param place names places in it, for problems
 * @throws InputError for a default that would be completed without end
 */
export function deriveDefinition(
  schema: JsonSchema,
  definitions: DefinitionMap,
  markers: { readonly "x-side"?: string; readonly "x-method"?: string },
  place: (path: Path) => Pick<Problem, "file" | "pointer"> = (path) => ({
    pointer: jsonPointer(path),
  }),
): JsonSchema {
  const derived = mapSchema(schema, (part, path) =>
    withDefaults(withNot(withMeta(withAllOf(part))), definitions, place([...path, "default"])),
  );
  return { ...derived, ...markers };
}

/** The name a bare or wrapped reference points to. */
function referenceOf(schema: JsonSchema): string | undefined {
  const [only, ...more] = schema.allOf ?? [];
  return referencedName(schema) ?? (only && more.length === 0 ? referencedName(only) : undefined);
}

/** Wraps a `$ref` that has siblings: the published schemas never have keywords next to a `$ref`. */
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

function withDefaults(
  schema: JsonSchema,
  definitions: DefinitionMap,
  place: Pick<Problem, "file" | "pointer">,
): JsonSchema {
  const name = referenceOf(schema);
  if (name === undefined || !isObject(schema.default)) return schema;
  return { ...schema, default: complete(schema.default, name, definitions, place) };
}

/** A default that is completed with more values is of no use to anybody. */
const MOST_COMPLETED = 1_000;

/** An object default with the defaults of the properties it leaves out, recursively. */
function complete(
  start: Json,
  name: string,
  definitions: DefinitionMap,
  place: Pick<Problem, "file" | "pointer">,
): Json {
  let count = 0;
  const completed = (value: Json, name: string, seen: readonly string[]): Json => {
    if (++count > MOST_COMPLETED) {
      const message = `the default would be completed with more than ${MOST_COMPLETED} values`;
      throw new InputError([{ ...place, message, hint: "Write it in full, or leave it out." }]);
    }
    const definition = definitions.get(name)?.schema;
    if (!isObject(value) || definition === undefined || seen.includes(name)) return value;
    const entries = Object.entries(definition.properties ?? {}).flatMap(
      ([key, property]): [string, Json][] => {
        const own = Object.hasOwn(value, key) ? value[key] : property.default;
        if (own === undefined) return [];
        const target = referenceOf(property);
        return [[key, target === undefined ? own : completed(own, target, [...seen, name])]];
      },
    );
    return Object.fromEntries(entries);
  };
  return completed(start, name, []);
}
