import { findMismatch } from "../json-schema/find-mismatch.js";
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";
import { tagName, tagOf } from "../json-schema/variants.js";
import { withoutEmpty } from "./equivalent-forms.js";
import { limitsOf, listOf, objectOf } from "./intersect.js";
import { TYPE_OF } from "./limits.js";

/** Writes a schema or null, as generators of schemas print it, in the forms that a property has. */
export function withNullLast(schema: JsonObject, definitions: JsonObject): JsonObject {
  for (const keyword of ["anyOf", "oneOf"]) {
    const { [keyword]: variants, ...rest } = schema;
    const [one, other, ...more] = listOf(variants);
    if (!isObject(one) || !isObject(other) || more.length > 0) continue;
    const [value, none] = isNull(one) ? [other, one] : [one, other];
    if (!isNull(none) || Object.keys(limitsOf(rest)).length > 0) continue;
    const isEither = findMismatch(value as JsonSchema, null, definitions as never) === undefined;
    if (keyword === "oneOf" && isEither) continue;
    const { type, ...inside } = value;
    const isPlain = !["$ref", "enum", "const", "allOf", "anyOf", "oneOf"].some(
      (key) => inside[key] !== undefined,
    );
    return typeof type === "string" && isPlain
      ? { ...inside, ...rest, type: [type, "null"] }
      : { ...rest, anyOf: [value, none] };
  }
  return schema;
}

function isNull(schema: JsonObject): boolean {
  const limits = limitsOf(schema);
  const isConstant = limits["const"] === null && Object.keys(limits).length === 1;
  return isConstant || (limits["type"] === "null" && Object.keys(limits).length === 1);
}

/** Whether a schema accepts no value, whatever else it says. */
export function isNever(schema: Json): boolean {
  if (!isObject(schema)) return schema === false;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/** Writes the type of properties that stand beside alternatives which are all objects. */
export function withObjectType(schema: JsonObject, definitions: JsonObject): JsonObject {
  const { type, $ref } = schema;
  const mayBeObject = Array.isArray(type) ? type.includes("object") : type === undefined;
  if (!mayBeObject || $ref !== undefined) return schema;
  if (type === undefined && !OF_OBJECTS.some((keyword) => schema[keyword] !== undefined))
    return schema;
  return areObjects(schema, definitions) ? { ...schema, type: "object" } : schema;
}

/** Writes a type beside alternatives into those that have none, where it may be another than an object. */
export function withInnerTypes(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined || type === "object") return schema;
  const isOpen = (one: Json): one is JsonObject =>
    isObject(one) &&
    ["type", "$ref", "const", "enum"].every((keyword) => one[keyword] === undefined);
  const typed = ["anyOf", "oneOf"].flatMap((keyword) => {
    const variants = schema[keyword];
    if (!Array.isArray(variants)) return [];
    const list = variants as readonly Json[];
    return [[keyword, list.map((one) => (isOpen(one) ? { ...one, type } : one))]];
  });
  return { ...schema, ...(Object.fromEntries(typed) as JsonObject) };
}

/** Drops the type beside alternatives that are all objects, where nothing else stands there. */
export function withoutObjectType(schema: JsonObject, definitions: JsonObject): JsonObject {
  const own = withoutEmpty(schema);
  const limits = ["anyOf", "oneOf", "type"];
  const isAlone = Object.entries(limitsOf(own)).every(
    ([keyword, value]) =>
      limits.includes(keyword) || (keyword === "additionalProperties" && value === true),
  );
  if (schema["type"] !== "object" || !isAlone || !areObjects(schema, definitions)) return schema;
  const { type: _, additionalProperties: __, ...rest } = own;
  return rest;
}

function areObjects({ anyOf, oneOf }: JsonObject, definitions: JsonObject): boolean {
  const variants = listOf(anyOf ?? oneOf);
  return variants.length > 0 && variants.every((one) => isAnObject(one, definitions));
}

/**
 * Writes the tag of a definition beside a reference to it, where an alternative that is written in the
 * union has that tag; the whole definition where two alternatives have the same value of it.
 *
 * @param resolve returns a definition in the forms of the dialect
 */
export function withReferencedTags(
  schema: JsonObject,
  resolve: (name: string) => JsonObject | undefined,
): JsonObject {
  const keyword = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
  const variants = listOf(schema[keyword]).filter(isObject);
  const name = variants.flatMap((one) => tagOf(withTagConstants(one) as JsonSchema)?.name ?? [])[0];
  if (name === undefined || !variants.some(({ $ref }) => $ref !== undefined)) return schema;
  const targets = new Map<JsonObject, JsonObject>();
  const tagged = variants.map((variant): JsonObject => {
    const { $ref, ...rest } = variant;
    const reference = referencedName(variant);
    if (reference === undefined || Object.keys(limitsOf(rest)).length > 0) return variant;
    const target = withTagConstants(resolve(reference) ?? {}) as JsonObject;
    const tag = objectOf(objectOf(target["properties"])[name])["const"];
    if (typeof tag !== "string" || !listOf(target["required"]).includes(name)) return variant;
    targets.set(variant, { ...target, ...rest });
    const properties = { [name]: { type: "string", const: tag } };
    return { ...rest, type: "object", properties, required: [name], allOf: [{ $ref: $ref! }] };
  });
  const isEach = areApart(tagged.filter(({ $ref }) => $ref === undefined));
  const each = isEach ? tagged : variants.map((variant) => targets.get(variant) ?? variant);
  return { ...schema, [keyword]: each };
}

const OF_OBJECTS = ["properties", "required", "additionalProperties"];

/** Checks whether only objects fit a schema. */
function isAnObject(schema: Json, definitions: JsonObject, depth = 0): boolean {
  if (!isObject(schema) || depth > MOST_STEPS) return false;
  const { type, allOf, anyOf, oneOf } = schema;
  const name = referencedName(schema);
  const isOne = (part: Json): boolean => isAnObject(part, definitions, depth + 1);
  if (type !== undefined) return type === "object";
  if (name !== undefined) return isOne(definitions[name] ?? true);
  const alternatives = listOf(anyOf ?? oneOf);
  return listOf(allOf).some(isOne) || (alternatives.length > 0 && alternatives.every(isOne));
}

/**
 * Writes a variant whose tag is one of several texts as a variant for each of them, where the others
 * have that tag.
 */
export function withOneTagEach(schema: JsonObject): JsonObject {
  const keyword = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
  const variants = listOf(schema[keyword]).filter(isObject);
  const names = new Set(
    variants.flatMap((one) => tagOf(withTagConstants(one) as JsonSchema)?.name ?? []),
  );
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return schema;
  const each = variants.flatMap((variant) => {
    const properties = objectOf(variant["properties"]);
    const { enum: listed, ...rest } = objectOf(properties[name]);
    const values = listOf(listed);
    const isTag = values.length > 1 && values.every((value) => typeof value === "string");
    if (!isTag || !listOf(variant["required"]).includes(name)) return [variant];
    return values.map((value) => ({
      ...variant,
      properties: { ...properties, [name]: { ...rest, type: "string", const: value } },
    }));
  });
  const tags = each.map((one) => tagOf(withTagConstants(one) as JsonSchema));
  const isAll = tags.every((tag) => tag?.name === name);
  const areApart = new Set(tags.map((tag) => tag?.value)).size === each.length;
  return each.length === variants.length || !isAll || !areApart
    ? schema
    : { ...schema, [keyword]: each };
}

/** Writes unions with tags among the alternatives of a union with the same tag as its alternatives. */
export function withFlatUnions(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  const variants = listOf(anyOf).filter(isObject);
  const isClosed = ({ oneOf, ...rest }: JsonObject): boolean =>
    Array.isArray(oneOf) && Object.keys(rest).length === 0 && areApart(oneOf);
  const flat = variants.flatMap((one) => (isClosed(one) ? (one["oneOf"] as JsonObject[]) : [one]));
  const names = new Set(flat.map((one) => tagOf(one as JsonSchema)?.name));
  return flat.length === variants.length || names.size > 1 ? schema : { ...schema, anyOf: flat };
}

/** Checks whether variants have one tag, with another value in each. */
function areApart(variants: readonly Json[]): boolean {
  const tags = variants.map((one) => (isObject(one) ? tagOf(one as JsonSchema) : undefined));
  const isSame = tags.every((tag) => tag !== undefined && tag.name === tags[0]!.name);
  return isSame && new Set(tags.map((tag) => tag?.value)).size === tags.length;
}

/**
 * Writes alternatives with different tags as a closed union: no value fits two of them. Drops a
 * discriminator whose tag stands in referenced definitions, since it only annotates.
 */
export function withTags(schema: JsonObject): JsonObject {
  const { discriminator, ...rest } = schema;
  const keyword = rest["anyOf"] === undefined ? "oneOf" : "anyOf";
  const variants = listOf(rest[keyword]).map(withTagConstants);
  const tags = variants.map((variant) =>
    isObject(variant) && variant["type"] === "object" ? tagOf(variant as JsonSchema) : undefined,
  );
  const name = objectOf(discriminator)["propertyName"];
  const isTagged = tags.some((tag) => tag !== undefined && (name ?? tag.name) === tag.name);
  const own = isTagged && typeof name === "string" ? { discriminator: { propertyName: name } } : {};
  const values = new Set(tags.map((tag) => tag?.value));
  const isClosed =
    values.size === variants.length &&
    variants.length > 1 &&
    tags.every((tag) => typeof tag?.value === "string" && tag.name === tags[0]!.name);
  if (!isClosed) return discriminator === undefined ? schema : { ...rest, ...own };
  const { [keyword]: _, ...others } = rest;
  return { ...others, ...own, oneOf: variants };
}

/** Writes required properties with a list of one text as constants. */
function withTagConstants(variant: Json): Json {
  if (!isObject(variant) || variant["properties"] === undefined) return variant;
  const required = listOf(variant["required"]);
  const properties = Object.entries(objectOf(variant["properties"])).map(([name, property]) => {
    const { enum: values, ...rest } = objectOf(property);
    const [only, ...others] = listOf(values);
    const isTag = typeof only === "string" && others.length === 0 && required.includes(name);
    return [name, isTag ? { ...rest, type: "string", const: only } : property];
  });
  return { ...variant, properties: Object.fromEntries(properties) as JsonObject };
}

/**
 * Writes alternatives of which only some can have what they have in common as alternatives in
 * alternatives: objects with tags apart from values that are none, constants apart from values with
 * limits.
 */
export function withGroups(schema: JsonObject, definitions: JsonObject): JsonObject {
  const keyword = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
  const { [keyword]: given, discriminator, ...rest } = schema;
  const variants = listOf(given).filter(isObject);
  if (variants.length < 2 || Object.keys(limitsOf(rest)).length > 0) return schema;
  const isOther = (variant: JsonObject): boolean =>
    isNoObject(variant, definitions) || isUnion(variant, definitions);
  const objects = variants.filter((variant) => !isOther(variant));
  if (tagName({ ...schema, [keyword]: objects } as JsonSchema) !== undefined) {
    const grouped = apart(variants, isOther, (own) =>
      withTags({
        // One alternative is a closed union.
        [own.length === 1 ? "oneOf" : keyword]: own,
        ...(discriminator !== undefined && { discriminator }),
      }),
    );
    if (grouped !== undefined) return { ...rest, [keyword]: grouped };
    return { ...schema, [keyword]: variants.map(wrapped) };
  }
  return withLists(schema, keyword, variants);
}

/** Writes constants of one type, with the type where they leave it open, as one of the alternatives. */
function withLists(
  schema: JsonObject,
  keyword: "anyOf" | "oneOf",
  variants: readonly JsonObject[],
): JsonObject {
  const typeOf = (variant: JsonObject): Json | undefined => {
    const { type, const: only, ...limits } = limitsOf(variant);
    if (only !== undefined) return typeof only === "number" ? "integer" : typeof only;
    return keyword === "anyOf" && Object.keys(limits).length === 0 ? type : undefined;
  };
  const lists = ["string", "integer"]
    .map((type) => variants.filter((one) => typeOf(one) === type))
    .filter((list) => list.some((one) => one["const"] !== undefined));
  const alternatives = variants.flatMap((one) => {
    const list = lists.find((all) => all.includes(one));
    if (list === undefined) return [one];
    if (list[0] !== one) return [];
    const open = list.find((other) => other["const"] === undefined);
    const listed = list.filter((other) => other["const"] !== undefined);
    const different = [...new Map(listed.map((other) => [canonicalJson(other["const"]), other]))];
    const values = different.map(([, value]) => value);
    return [open === undefined ? { oneOf: values } : { anyOf: [...values, open] }];
  });
  const listed = lists.flat().filter((one) => one["const"] !== undefined);
  const isRepeated = new Set(listed.map((one) => canonicalJson(one["const"]))).size < listed.length;
  const isWhole = alternatives.length === 1 || lists.length === 0;
  return isWhole || (keyword === "oneOf" && isRepeated)
    ? schema
    : { ...schema, [keyword]: alternatives };
}

/** Puts the alternatives that are no others into one, where the first of them is; undefined without both. */
function apart(
  variants: readonly JsonObject[],
  isOther: (variant: JsonObject) => boolean,
  group: (own: readonly JsonObject[]) => JsonObject,
): readonly JsonObject[] | undefined {
  const own = variants.filter((variant) => !isOther(variant));
  if (own.length === 0 || own.length === variants.length) return undefined;
  const one = group(own);
  return variants.flatMap((variant) => {
    if (isOther(variant)) return [variant];
    return variant === own[0] ? [one] : [];
  });
}

/** Checks whether no object can fit a schema. */
function isNoObject(schema: JsonObject, definitions: JsonObject, depth = 0): boolean {
  const { type, const: only, enum: listed, allOf, anyOf, oneOf } = schema;
  const name = referencedName(schema);
  const isApart = (part: Json): boolean =>
    isObject(part) && depth < MOST_STEPS && isNoObject(part, definitions, depth + 1);
  if (type !== undefined) return ![type].flat().includes("object");
  if (only !== undefined) return !isObject(only);
  if (listed !== undefined) return !listOf(listed).some(isObject);
  if (name !== undefined) return isApart(definitions[name] ?? true);
  const alternatives = listOf(anyOf ?? oneOf);
  return listOf(allOf).some(isApart) || (alternatives.length > 0 && alternatives.every(isApart));
}

/** Checks whether a schema refers to a union. */
function isUnion(schema: JsonObject, definitions: JsonObject, depth = 0): boolean {
  const { $ref: _, ...rest } = schema;
  const name = referencedName(schema);
  if (name === undefined || depth > MOST_STEPS || Object.keys(limitsOf(rest)).length > 0)
    return false;
  const target = definitions[name];
  if (!isObject(target)) return false;
  const isOne = target["anyOf"] !== undefined || target["oneOf"] !== undefined;
  return isOne || isUnion(target, definitions, depth + 1);
}

/** The longest chain of references that is followed. */
const MOST_STEPS = 16;

/** Writes a reference that is a variant of a tagged union as such a variant is written. */
function wrapped(variant: JsonObject): JsonObject {
  const { $ref, ...rest } = variant;
  return $ref === undefined ? variant : { ...rest, allOf: [{ $ref }] };
}

/** A keyword that limits values of one type only, where the schema does not say which type. */
export function untypedKeyword(schema: JsonObject): string | undefined {
  const says = ["type", "$ref", "allOf", "anyOf", "oneOf", "const", "enum"];
  if (says.some((keyword) => schema[keyword] !== undefined)) return undefined;
  return Object.keys(limitsOf(schema)).find((keyword) => TYPE_OF[keyword] !== undefined);
}
