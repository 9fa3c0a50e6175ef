import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";

/**
 * Rewrites what other schemas write in forms that the dialect does not have into forms that it has
 * and that accept the same values. The table of these equivalences is in schema/README.md.
 *
 * @param document a JSON Schema document of draft-07 or 2020-12
 * @returns the document with its definitions in `$defs`
 */
export function normalizeImport(document: JsonObject): JsonObject {
  const { definitions, ...rest } = document;
  const named = isObject(definitions) && rest["$defs"] === undefined;
  const all = named ? { ...rest, $defs: definitions } : document;
  const given = all["$defs"];
  if (!isObject(given)) return all;
  const normalizer = new Normalizer(given);
  const $defs = Object.entries(given).map(([name, definition]) => [
    name,
    normalizer.normalize(definition!),
  ]);
  const { $defs: _, ...root } = all;
  return {
    ...(normalizer.normalize(root) as JsonObject),
    $defs: Object.fromEntries($defs) as Json,
  };
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const ONE = ["items", "additionalProperties", "not"];
const LIST = ["allOf", "anyOf", "oneOf"];

/** The types of JSON; a number may be an integer. */
const TYPES = ["null", "boolean", "string", "number", "array", "object"];

/** The type that each keyword is about; the others are about all of them. */
const TYPE_OF: { readonly [keyword: string]: readonly string[] } = {
  properties: ["object"],
  required: ["object"],
  additionalProperties: ["object"],
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  contentEncoding: ["string"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
};

class Normalizer {
  readonly #definitions: JsonObject;
  /** The targets of references in combinations, by name; each is resolved once. */
  readonly #combined = new Map<string, JsonObject | undefined>();

  constructor(definitions: JsonObject) {
    this.#definitions = definitions;
  }

  normalize(schema: Json): Json {
    if (schema === true) return {};
    if (!isObject(schema)) return schema;
    const parts = Object.entries(schema).map(([keyword, value]): [string, Json] => [
      keyword,
      this.#part(keyword, value!),
    ]);
    return splitTypes(
      withItems(withoutEmpty(this.#merged(closeUnknownTags(Object.fromEntries(parts))))),
    );
  }

  #part(keyword: string, value: Json): Json {
    if (keyword === "$ref" && typeof value === "string")
      return value.replace(/^#\/definitions\//, "#/$defs/");
    if (keyword === "properties" && isObject(value)) {
      const properties = Object.entries(value).map(([name, one]) => [name, this.normalize(one!)]);
      return Object.fromEntries(properties) as Json;
    }
    if (keyword === "additionalProperties" && typeof value === "boolean") return value;
    if (ONE.includes(keyword)) return this.normalize(value);
    if (LIST.includes(keyword) && Array.isArray(value))
      return value.map((one: Json) => this.normalize(one));
    return value;
  }

  /** Writes an object that combines several as one object. */
  #merged(schema: JsonObject): JsonObject {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf) || (allOf.length === 1 && isReference(allOf[0]!))) return schema;
    const parts = [...allOf.map((part: Json) => this.#resolved(part)), own];
    if (!parts.every((part) => part !== undefined && isPlainObject(part))) return schema;
    return parts.reduce<JsonObject>((a, b) => mergeObjects(a, b as JsonObject), {});
  }

  /** Returns the object that a part of a combination stands for, with what that combines. */
  #resolved(part: Json): JsonObject | undefined {
    if (!isObject(part)) return undefined;
    const { $ref, allOf, description: _, title: __, ...own } = part;
    if (typeof $ref === "string") {
      const name = $ref.replace(/^#\/(\$defs|definitions)\//, "");
      const target = this.#definitions[name];
      if (target === undefined) return undefined;
      if (!this.#combined.has(name)) {
        // Stands for the result while it is computed, which only a circle meets.
        this.#combined.set(name, undefined);
        this.#combined.set(name, this.#resolved(target));
      }
      return this.#combined.get(name);
    }
    const normal = this.normalize(own) as JsonObject;
    if (!Array.isArray(allOf)) return normal;
    const parts = allOf.map((one: Json) => this.#resolved(one));
    if (parts.includes(undefined)) return undefined;
    return [...(parts as JsonObject[]), normal].reduce<JsonObject>(mergeObjects, {});
  }
}

function isReference(part: Json): boolean {
  return isObject(part) && part["$ref"] !== undefined;
}

/** Returns whether a schema has only what an object without alternatives has. */
function isPlainObject(schema: JsonObject): boolean {
  const { type = "object" } = schema;
  return type === "object" && LIST.every((keyword) => schema[keyword] === undefined);
}

function mergeObjects(a: JsonObject, b: JsonObject): JsonObject {
  const required = [...listOf(a["required"]), ...listOf(b["required"])];
  const [ours, theirs] = [objectOf(a["properties"]), objectOf(b["properties"])];
  const shared = Object.keys(ours).filter((name) => Object.hasOwn(theirs, name));
  const both = shared.map((name) => [name, narrower(ours[name]!, theirs[name]!)]);
  return {
    ...a,
    ...b,
    properties: { ...ours, ...theirs, ...(Object.fromEntries(both) as JsonObject) },
    ...(required.length > 0 && { required: [...new Set(required)] }),
  };
}

/** Returns the property that both hold for; where neither is contained in the other, the later one. */
function narrower(a: Json, b: Json): Json {
  return isObject(b) && Object.keys(b).every((keyword) => TEXTS.includes(keyword)) ? a : b;
}

const TEXTS = ["description", "title", "_enum"];

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** Drops keywords that allow everything. */
function withoutEmpty(schema: JsonObject): JsonObject {
  const { properties, required, additionalProperties: rest, ...others } = schema;
  const isEmpty = (value: Json | undefined): boolean =>
    isObject(value) && Object.keys(value).length === 0;
  const isMap = isEmpty(rest) || rest === true;
  return {
    ...others,
    ...(properties !== undefined && !isEmpty(properties) && { properties }),
    ...(listOf(required).length > 0 && { required: required! }),
    ...(rest !== undefined && { additionalProperties: isMap ? true : rest }),
  };
}

function withItems(schema: JsonObject): JsonObject {
  return schema["type"] === "array" && schema["items"] === undefined
    ? { ...schema, items: {} }
    : schema;
}

/** Writes a list of types, apart from one type and null, as alternatives; all types as any value. */
function splitTypes(schema: JsonObject): JsonObject {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const types = type as readonly string[];
  if (TYPES.every((one) => types.includes(one)) && !Object.keys(rest).some(isLimit)) return rest;
  const others = types.filter((one) => one !== "null");
  if (others.length < 2) return schema;
  const entries = Object.entries(rest);
  const shared = entries.filter(([keyword]) => TYPE_OF[keyword] === undefined);
  const variants = types.map((one) => ({
    type: one,
    ...Object.fromEntries(entries.filter(([keyword]) => TYPE_OF[keyword]?.includes(one))),
  }));
  return { ...Object.fromEntries(shared), anyOf: variants.map(withItems) } as JsonObject;
}

function isLimit(keyword: string): boolean {
  return TYPE_OF[keyword] !== undefined || keyword === "enum" || keyword === "const";
}

/**
 * Writes the variant for unknown tags with the tags that its union knows, which is what the model
 * derives. Some releases have excluded the tags of features that were off, and some a tag that the
 * variant does not have.
 */
function closeUnknownTags(schema: JsonObject): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const variants = listOf(schema[keyword]);
    const tags = variants.flatMap(tagsOf);
    if (tags.length === 0) continue;
    const known = new Set(tags.map((tag) => canonicalJson(tag)));
    const closed = variants.map((variant) => {
      const excluded = isObject(variant) && isObject(variant["not"]) ? variant["not"] : {};
      const list = listOf(excluded["anyOf"]);
      if (!isObject(variant) || list.length === 0) return variant;
      const kept = list.filter((one) => tagsOf(one).every((tag) => known.has(canonicalJson(tag))));
      return { ...variant, not: { anyOf: kept } };
    });
    return { ...schema, [keyword]: closed };
  }
  const { not, ...rest } = schema;
  const isAbsence = isObject(not) && Object.keys(not).every((key) => ABSENCE.includes(key));
  const properties = objectOf(schema["properties"]);
  const isForeign =
    isAbsence && listOf(not["required"]).every((name) => !(String(name) in properties));
  return isForeign ? rest : schema;
}

/** The keywords of a schema that only says which properties a value must not have. */
const ABSENCE = ["type", "required"];

/** Returns the constants that a variant requires, each with its property. */
function tagsOf(variant: Json): readonly JsonObject[] {
  const properties = isObject(variant) ? objectOf(variant["properties"]) : {};
  return Object.entries(properties).flatMap(([name, property]) =>
    isObject(property) && property["const"] !== undefined
      ? [{ name, value: property["const"]! }]
      : [],
  );
}
