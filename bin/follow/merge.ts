import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../../generators/schema/json-schema/json.js";
import { DERIVED_KEYWORDS, KEYWORDS } from "../../generators/schema/json-schema/keywords.js";
import {
  hasConstant,
  tagOf,
  variantName,
  variantsOf,
} from "../../generators/schema/json-schema/variants.js";
import { mapSchema, type Path } from "../../generators/schema/json-schema/walk.js";
import { documentedKind, UNWRITTEN } from "../../generators/schema/lint/rules/documented.js";
import { like, withEntries } from "./documents.js";

const META = canonicalJson({
  additionalProperties: true,
  type: ["object", "null"],
  "x-deserialize-default-on-error": true,
});

/** Returns a published definition as a module writes it: without texts, and what is derived. */
export function toSource(published: JsonSchema): JsonSchema {
  return mapSchema(published, (schema) => {
    const { allOf, properties, title, ...rest } = withExcludes(schema);
    const { _meta, ...own } = properties ?? {};
    const isMeta = _meta !== undefined && canonicalJson(_meta as Json) === META;
    const kept = isMeta ? own : properties;
    const reference = allOf?.length === 1 && kept === undefined ? allOf[0]!.$ref : undefined;
    const entries = Object.entries(rest).filter(
      ([keyword]) => keyword !== "description" && !(keyword in DERIVED_KEYWORDS),
    );
    return {
      ...(reference !== undefined && { $ref: reference }),
      ...(title !== undefined && tagOf(schema) === undefined && { title }),
      ...Object.fromEntries(entries),
      ...(isMeta && { "x-meta": true as const }),
      ...(kept !== undefined && Object.keys(kept).length > 0 && { properties: kept }),
      ...(allOf !== undefined && reference === undefined && { allOf }),
    };
  });
}

/** Writes the names that an object must not have as modules do. */
function withExcludes(schema: JsonSchema): JsonSchema {
  const { propertyNames, ...rest } = schema as JsonObject;
  if (propertyNames === undefined) return schema;
  const { const: only, enum: listed } = (propertyNames as { not: JsonObject }).not;
  return { ...rest, "x-excludes": listed ?? [only!] } as JsonSchema;
}

/**
 * Returns a schema with the structure of a release, and with the texts, gates, order and form of
 * what a module has.
 *
 * @param old the schema in the module
 * @param now the structure, from `toSource`
 * @param path the path to it in its definition, which tells whether it needs a text
 */
export function merge(old: JsonSchema | undefined, now: JsonSchema, path: Path = []): JsonSchema {
  if (old === undefined) return mapSchema(now, withText, path);
  const target: { [keyword: string]: Json } = { ...(now as JsonObject) };
  const [only] = old.allOf ?? [];
  if (now.$ref !== undefined && only?.$ref === now.$ref && old.allOf!.length === 1) {
    delete target["$ref"];
    target["allOf"] = [{ $ref: now.$ref }];
  }
  const entries = new Map<string, Json>();
  for (const [keyword, before] of Object.entries(old as JsonObject)) {
    const value = mergeKeyword([...path, keyword], before, target[keyword], old, now);
    if (value !== undefined) entries.set(keyword, value);
  }
  for (const [keyword, value] of Object.entries(target)) {
    if (entries.has(keyword)) continue;
    const isUnion = keyword === "anyOf" || keyword === "oneOf";
    const at = [...path, keyword];
    insert(entries, keyword, isUnion ? mergeVariants(at, variantsOf(old), variantsOf(now)) : value);
  }
  const merged = like(old, Object.fromEntries(entries));
  return JSON.stringify(merged) === JSON.stringify(old) ? old : (merged as JsonSchema);
}

function mergeKeyword(
  path: Path,
  before: Json,
  value: Json | undefined,
  old: JsonSchema,
  now: JsonSchema,
): Json | undefined {
  const keyword = path.at(-1) as string;
  if (keyword === "title") return value ?? (hasConstant(now) ? before : undefined);
  if (keyword === "x-meta") return value === undefined ? undefined : before;
  const role = KEYWORDS[keyword];
  if (role === "text" || role === "source") return before;
  // Annotations of ours have no counterpart in a release that does not publish them.
  if (role === "marker" && value === undefined) return before;
  if (value === undefined) return undefined;
  if (canonicalJson(before) === canonicalJson(value)) return before;
  switch (keyword) {
    case "properties": {
      const properties = Object.entries(now.properties!).map(([name, property]) => {
        const known = old.properties?.[name];
        return [name, merge(known, property, [...path, name]) as Json] as const;
      });
      return withEntries(before as JsonObject, new Map(properties));
    }
    case "anyOf":
    case "oneOf":
    case "allOf":
      return mergeVariants(path, old[keyword]!, now[keyword]!);
    case "items":
    case "additionalProperties":
      return isObject(before)
        ? (merge(before as JsonSchema, value as JsonSchema, path) as Json)
        : value;
    case "required":
    case "enum": {
      const [ours, theirs] = [before as Json[], value as Json[]];
      const kept = ours.filter((one) => theirs.includes(one));
      return [...kept, ...theirs.filter((one) => !ours.includes(one))];
    }
    case "default":
      return isObject(before) && isObject(value) && isPartOf(before, value) ? before : value;
    default:
      return value;
  }
}

/** What a default leaves out follows from the definition that it is of. */
function isPartOf(part: JsonObject, whole: JsonObject): boolean {
  return Object.entries(part).every(
    ([key, value]) => canonicalJson(value) === canonicalJson(whole[key]),
  );
}

function mergeVariants(path: Path, old: readonly JsonSchema[], now: readonly JsonSchema[]): Json {
  const known = new Map(old.map((variant) => [keyOf(variant), variant]));
  return now.map((variant, index) => {
    return merge(known.get(keyOf(variant)), variant, [...path, index]) as Json;
  });
}

/** Marks a place that needs a text. */
function withText(schema: JsonSchema, path: Path): JsonSchema {
  const isNeeded = documentedKind(schema, path) !== undefined && schema.description === undefined;
  return isNeeded ? { description: UNWRITTEN, ...schema } : schema;
}

function keyOf(variant: JsonSchema): string {
  const { $ref, allOf, type } = variant;
  return (
    variantName(variant) || canonicalJson([$ref ?? allOf?.[0]?.$ref ?? null, type ?? null] as Json)
  );
}

/** Inserts a keyword where the table of keywords has it. */
function insert(entries: Map<string, Json>, keyword: string, value: Json): void {
  const order = Object.keys(KEYWORDS);
  const after = [...entries].filter(([other]) => order.indexOf(other) > order.indexOf(keyword));
  for (const [other] of after) entries.delete(other);
  entries.set(keyword, value);
  for (const [other, kept] of after) entries.set(other, kept);
}

/** The properties and variants of a definition by the ends of their places: `.cwd`, `/plan`. */
export function namedParts(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  return new Map([
    ...Object.entries(schema.properties ?? {}).map(([name, one]) => [`.${name}`, one] as const),
    ...variantsOf(schema).flatMap((one) => {
      const name = variantName(one);
      return name === "" ? [] : [[`/${name}`, one] as const];
    }),
  ]);
}
