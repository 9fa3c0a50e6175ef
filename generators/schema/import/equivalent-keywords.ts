import { canonicalJson, isObject, type Json, type JsonObject } from "../json-schema/json.js";
import { referencedName } from "../json-schema/references.js";
import { LIMITING_KEYWORDS, TYPE_OF } from "./limits.js";

/** Values with which a keyword of JSON Schema says nothing about the values of a schema. */
const WITHOUT_EFFECT: { readonly [keyword: string]: readonly Json[] } = {
  minItems: [0],
  minLength: [0],
  minProperties: [0],
  uniqueItems: [false],
  unevaluatedItems: [true, {}],
  propertyNames: [true, {}, { type: "string" }],
  patternProperties: [{}],
  dependentRequired: [{}],
  dependentSchemas: [{}],
  dependencies: [{}],
  allOf: [[]],
  not: [false],
  description: [""],
  title: [""],
  deprecated: [false],
  readOnly: [false],
  writeOnly: [false],
};

/** Annotations that only tools read; those of the root are its own. */
const ANNOTATIONS = [
  ...["$schema", "$id", "id", "contentMediaType", "contentSchema", "$anchor", "$vocabulary"],
  // Of editors.
  ...["markdownDescription", "enumDescriptions", "markdownEnumDescriptions", "deprecationMessage"],
  ...["markdownDeprecationMessage", "defaultSnippets", "errorMessage", "patternErrorMessage"],
  ...["allowComments", "allowTrailingCommas", "doNotSuggest", "suggestSortText", "scope"],
  // Of generators of code and forms.
  ...["tsType", "tsEnumNames", "existingJavaType", "javaType", "javaInterfaces", "goJSONSchema"],
  ...["enumNames", "propertyOrder", "example", "meta:enum", "$comments"],
  // Of OpenAPI.
  ...["externalDocs", "xml"],
];

/** The type that keywords are about which the dialect does not have. */
const TYPE_OF_OTHERS: { readonly [keyword: string]: readonly string[] } = {
  minProperties: ["object"],
  maxProperties: ["object"],
  propertyNames: ["object"],
  dependencies: ["object"],
  dependentRequired: ["object"],
  dependentSchemas: ["object"],
  unevaluatedProperties: ["object"],
  unevaluatedItems: ["array"],
  uniqueItems: ["array"],
  contains: ["array"],
  multipleOf: ["integer", "number"],
};

/** Patterns that every name of a property fits. */
const ANY_NAME = ["", ".*", "^", "^.*", "^.*$", "^(.*)$"];

/**
 * Drops keywords that accept every value or are about values of other types, and annotations that no
 * output has.
 */
export function withoutEffect(schema: JsonObject): JsonObject {
  const types = typesOf(schema);
  const isCondition = schema["if"] !== undefined;
  const hasBranch = schema["then"] !== undefined || schema["else"] !== undefined;
  const isCombined = ["anyOf", "oneOf", "not"].some((other) => schema[other] !== undefined);
  const isOpen = isAny(schema["additionalProperties"] ?? true);
  const entries = Object.entries(schema).filter(([keyword, value]) => {
    if (ANNOTATIONS.includes(keyword)) return false;
    // OpenAPI has it in objects, too.
    if (keyword === "discriminator")
      return schema["anyOf"] !== undefined || schema["oneOf"] !== undefined;
    const own = TYPE_OF[keyword] ?? TYPE_OF_OTHERS[keyword];
    if (own !== undefined && types.length > 0 && !own.some((type) => types.includes(type)))
      return false;
    if (keyword === "if") return hasBranch;
    if (keyword === "then" || keyword === "else") return isCondition;
    if (keyword === "additionalItems") return Array.isArray(schema["items"]);
    if (keyword === "unevaluatedProperties" && !isCombined) return !isAny(value!);
    if (keyword === "format") return hasFormat(schema);
    if (keyword === "patternProperties" && isOpen && isObject(value))
      return !Object.values(value).every((part) => isAny(part!));
    const text = canonicalJson(value);
    return !WITHOUT_EFFECT[keyword]?.some((known) => canonicalJson(known) === text);
  });
  return entries.length === Object.keys(schema).length
    ? schema
    : (Object.fromEntries(entries) as JsonObject);
}

function isAny(schema: Json): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** Whether a schema describes one text or number, which a format can be of. */
function hasFormat(schema: JsonObject): boolean {
  const types = typesOf(schema).filter((type) => type !== "null");
  const isListed = schema["enum"] !== undefined || schema["const"] !== undefined;
  const [type] = types;
  return types.length === 0 ? isListed : types.length === 1 && FORMATTED.includes(type!);
}

const FORMATTED = ["string", "integer", "number"];

/**
 * Writes annotations in the one form that they have: `deprecated` and what else is said about it,
 * `true`; what editors show about a schema, its values and its end, as its description.
 */
export function withAnnotations(schema: JsonObject): JsonObject {
  const { deprecated, unevaluatedProperties: others } = schema;
  const ending = textIn(schema, "deprecationMessage", "markdownDeprecationMessage");
  const text = textIn(schema, "description", "markdownDescription");
  const description = [text, ending, valueTexts(schema)].filter((one) => one !== undefined);
  return {
    ...schema,
    ...(description.length > 0 && { description: description.join("\n\n") }),
    ...((typeof deprecated === "string" || ending !== undefined) && { deprecated: true }),
    ...(others !== undefined && isAny(others) && { unevaluatedProperties: true }),
  };
}

/** Returns the first text that a schema has under one of some names. */
function textIn(schema: JsonObject, ...names: readonly string[]): string | undefined {
  const text = names.map((name) => schema[name]).find((one) => one !== undefined && one !== "");
  return typeof text === "string" ? text : undefined;
}

/** Returns a list of what editors show about each value of an `enum`. */
function valueTexts(schema: JsonObject): string | undefined {
  const texts = schema["enumDescriptions"] ?? schema["markdownEnumDescriptions"];
  const { enum: values } = schema;
  if (!Array.isArray(texts) || !Array.isArray(values)) return undefined;
  const rows = (values as readonly Json[]).flatMap((value, index) => {
    const text = (texts as readonly Json[])[index];
    const isText = typeof text === "string" && text !== "";
    return isText ? [`- \`${String(value)}\`: ${text}`] : [];
  });
  return rows.length === 0 ? undefined : rows.join("\n");
}

/** Writes combinations in combinations as one. */
export function withFlatParts(schema: JsonObject): JsonObject {
  const { allOf } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = (allOf as readonly Json[]).flatMap((part): readonly Json[] => {
    if (!isObject(part) || !Array.isArray(part["allOf"]) || part["$ref"] !== undefined)
      return [part];
    const { allOf: inner, ...own } = withFlatParts(part);
    return [...(inner as readonly Json[]), ...(Object.keys(own).length > 0 ? [own] : [])];
  });
  return { ...schema, allOf: parts };
}

/** The schemas of a tuple's places, and that of the items behind them. */
interface Tuple {
  readonly places: readonly Json[];
  readonly rest: Json | undefined;
}

function tupleOf({ prefixItems, items, additionalItems }: JsonObject): Tuple | undefined {
  if (Array.isArray(items)) return { places: items as readonly Json[], rest: additionalItems };
  return Array.isArray(prefixItems)
    ? { places: prefixItems as readonly Json[], rest: items }
    : undefined;
}

/** Writes a list whose items all have one schema, by their positions, with `items`; one of no items, too. */
export function withEqualItems(schema: JsonObject): JsonObject {
  const tuple = tupleOf(schema);
  if (tuple === undefined)
    return schema["items"] === false ? { ...schema, items: {}, maxItems: 0 } : schema;
  const { items, maxItems } = listOfTuple(schema, tuple);
  return items.length === 1 ? withItemsOf(schema, items[0]!, maxItems) : schema;
}

/** Writes a tuple as a list of items that fit any of its places; returns other schemas as they are. */
export function withAnyPlace(schema: JsonObject): JsonObject {
  const tuple = tupleOf(schema);
  if (tuple === undefined) return schema;
  const { items, maxItems } = listOfTuple(schema, tuple);
  return withItemsOf(schema, { anyOf: items }, maxItems);
}

/** Returns the different schemas that items of a tuple have, and the greatest number of items. */
function listOfTuple(
  { maxItems }: JsonObject,
  { places, rest }: Tuple,
): { readonly items: readonly Json[]; readonly maxItems: number } {
  const most = typeof maxItems === "number" ? maxItems : Infinity;
  const limit = rest === false ? Math.min(most, places.length) : most;
  const all = limit > places.length ? [...places, rest ?? {}] : places.slice(0, limit);
  const items = new Map(all.map((one) => [canonicalJson(one), one]));
  return { items: items.size === 0 ? [{}] : [...items.values()], maxItems: limit };
}

function withItemsOf(schema: JsonObject, items: Json, maxItems: number): JsonObject {
  const { prefixItems: _, additionalItems: __, ...rest } = schema;
  return { ...rest, items, ...(maxItems < Infinity && { maxItems }) };
}

/**
 * Writes an object whose names of properties are listed with these properties, closed; drops a
 * schema that every name fits.
 */
export function withListedNames(schema: JsonObject, definitions: JsonObject): JsonObject {
  const { propertyNames, properties, additionalProperties: values = {}, ...rest } = schema;
  const isDescribed = properties !== undefined || rest["patternProperties"] !== undefined;
  if (!isObject(propertyNames) || isDescribed) return schema;
  const name = referencedName(propertyNames);
  const names = name === undefined ? propertyNames : definitions[name];
  if (!isObject(names)) return schema;
  const limits = Object.keys(names).filter(
    (keyword) => LIMITING_KEYWORDS.has(keyword) && keyword !== "type",
  );
  const isText = names["type"] === undefined || names["type"] === "string";
  if (limits.length === 0 && isText) return { ...rest, additionalProperties: values };
  const listed = limits.length === 1 ? (names["enum"] ?? [names["const"] ?? null]) : [];
  const isList = Array.isArray(listed) && listed.length > 0;
  if (!isList || !listed.every((name) => typeof name === "string")) return schema;
  const entries = listed.map((name): [string, Json] => [name, values]);
  return { ...rest, properties: Object.fromEntries(entries), additionalProperties: false };
}

/** Writes names that properties must not have as such. */
export function withExcludedNames(schema: JsonObject): JsonObject {
  const absent = absentName(schema);
  if (absent !== undefined) {
    const { not: _, properties, ...rest } = schema;
    const others = isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).filter(([name]) => name !== absent),
          ),
        }
      : {};
    return { ...rest, ...others, "x-excludes": [absent] };
  }
  const { propertyNames, ...rest } = schema;
  const not = isObject(propertyNames) && onlyMember(propertyNames, "not");
  if (!isObject(not)) return schema;
  const names = onlyMember(not, "enum") ?? [onlyMember(not, "const") ?? null];
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string");
  return isList && names.length > 0 ? { ...rest, "x-excludes": [...new Set(names)] } : schema;
}

/** Returns the property that an object must not have, since `not` has those that require it. */
function absentName({
  type,
  properties,
  required = [],
  not,
  ...rest
}: JsonObject): string | undefined {
  const isOfObjects = type === "object" || (type === undefined && isObject(properties));
  if (!isOfObjects || !isObject(not) || rest["x-excludes"] !== undefined) return undefined;
  const isAbsence = Object.keys(not).every((key) => ["type", "required"].includes(key));
  const [name, ...others] = Array.isArray(not["required"]) ? (not["required"] as Json[]) : [];
  const isOne = isAbsence && others.length === 0 && typeof name === "string";
  return isOne && Array.isArray(required) && !required.includes(name) ? name : undefined;
}

/** Writes properties that no value fits as names that an object must not have; drops them where it is closed. */
export function withoutNever(schema: JsonObject): JsonObject {
  const { type, properties, required, additionalProperties: others = true, ...rest } = schema;
  if (type !== "object" || !isObject(properties) || isObject(others)) return schema;
  const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
  const isExcluded = ([name, value]: readonly [string, Json]): boolean =>
    (value === false || (isObject(value) && isAny(value["not"] ?? false))) && !isRequired(name);
  const entries = Object.entries(properties);
  const excluded = entries.filter(isExcluded).map(([name]) => name);
  if (excluded.length === 0 || rest["x-excludes"] !== undefined) return schema;
  const { properties: _, ...own } = schema;
  const kept = Object.fromEntries(entries.filter((one) => !isExcluded(one)));
  return {
    ...own,
    ...(Object.keys(kept).length > 0 && { properties: kept }),
    ...(others === true && { "x-excludes": excluded }),
  };
}

/**
 * Writes what an object says about properties that match a pattern, or are not described, into those
 * that it describes or requires.
 */
export function withDescribed(schema: JsonObject): JsonObject {
  const { patternProperties, additionalProperties: others, properties, required } = schema;
  const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
  if (patterns.length === 0 && !isObject(others)) return schema;
  const known = isObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((one) => typeof one === "string") : [];
  const described = [...new Set([...Object.keys(known), ...names])].flatMap((name) => {
    const like = patterns.filter(([pattern]) => isLike(pattern, name)).map(([, one]) => one);
    const rest = like.length === 0 && isObject(others) ? [others] : like;
    const parts = Object.hasOwn(known, name) ? [known[name]!, ...like] : rest;
    if (parts.length === 0) return [];
    return [[name, parts.length === 1 ? parts[0]! : { allOf: parts }] as const];
  });
  return described.length === 0 ? schema : { ...schema, properties: Object.fromEntries(described) };
}

/** Checks whether a name matches a pattern; an invalid one is reported where it stands. */
export function isLike(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, "u").test(name);
  } catch {
    return false;
  }
}

/** Returns the member of an object without others. */
function onlyMember(object: JsonObject, name: string): Json | undefined {
  return Object.keys(object).length === 1 ? object[name] : undefined;
}

/** Writes limits as later drafts have them: up to draft-04, another keyword said that they are exclusive. */
export function withExclusiveLimits(schema: JsonObject): JsonObject {
  const limits = [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const;
  return limits.reduce<JsonObject>((all, [exclusive, inclusive]) => {
    const { [exclusive]: isExclusive, [inclusive]: limit, ...rest } = all;
    if (typeof isExclusive !== "boolean") return all;
    if (limit === undefined) return rest;
    return { ...rest, [isExclusive ? exclusive : inclusive]: limit };
  }, schema);
}

/** Writes exclusive limits of integers as inclusive ones, and numbers without fractions as integers. */
export function withInclusiveLimits(schema: JsonObject): JsonObject {
  const { multipleOf, ...rest } = schema;
  const isWhole = multipleOf === 1;
  const [types, isList] = [typesOf(schema), Array.isArray(schema["type"])];
  if (isWhole && types.includes("number")) {
    const whole = types.map((type) => (type === "number" ? "integer" : type));
    return withInclusiveLimits({ ...rest, type: isList ? [...new Set(whole)] : whole[0]! });
  }
  const hasNumbers = types.includes("integer") && !types.includes("number");
  if (!hasNumbers) return schema;
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...others } = isWhole ? rest : schema;
  const least = [others["minimum"], typeof above === "number" ? Math.floor(above) + 1 : undefined];
  const greatest = [
    others["maximum"],
    typeof below === "number" ? Math.ceil(below) - 1 : undefined,
  ];
  const [minimum, maximum] = [numbersIn(least), numbersIn(greatest)];
  return {
    ...others,
    ...(minimum.length > 0 && { minimum: Math.max(...minimum) }),
    ...(maximum.length > 0 && { maximum: Math.min(...maximum) }),
  };
}

function numbersIn(values: readonly (Json | undefined)[]): number[] {
  return values.filter((value) => typeof value === "number");
}

/** Writes an object whose properties all fit one pattern, which every name fits, as a map. */
export function withMaps(schema: JsonObject): JsonObject {
  const { patternProperties, additionalProperties: _, ...rest } = schema;
  if (!isObject(patternProperties) || rest["properties"] !== undefined) return schema;
  const [[name, values] = [], ...others] = Object.entries(patternProperties);
  const isMap = name !== undefined && ANY_NAME.includes(name) && others.length === 0;
  return isMap ? { ...rest, additionalProperties: values! } : schema;
}

/**
 * Writes a reference with other keywords beside it as a combination. Up to draft-07 they have no
 * effect: only what a reader uses is kept.
 */
export function withoutSiblings(schema: JsonObject, isEarlyDraft: boolean): JsonObject {
  const { $ref, allOf, ...rest } = schema;
  if (typeof $ref !== "string") return schema;
  const limits = Object.keys(schema).filter(
    (keyword) => keyword !== "$ref" && LIMITING_KEYWORDS.has(keyword),
  );
  if (limits.length === 0) return schema;
  if (isEarlyDraft)
    return Object.fromEntries(
      Object.entries(schema).filter(([keyword]) => !limits.includes(keyword)),
    ) as JsonObject;
  const parts = Array.isArray(allOf) ? (allOf as readonly Json[]) : [];
  return { ...rest, allOf: [{ $ref }, ...parts] };
}

/** Writes a list of types in one order, without doubles and types in other types; one type as it is. */
export function withTypes(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema["type"])) return schema;
  const types = [...new Set(typesOf(schema))].filter(
    (type, _, all) => type !== "integer" || !all.includes("number"),
  );
  const others = types.filter((type) => type !== "null");
  const type = [...others, ...(others.length < types.length ? ["null"] : [])];
  return { ...schema, type: type.length === 1 ? type[0]! : type };
}

/** Describes properties that are required without a description: they may be anything. */
export function withDescribedProperties(schema: JsonObject): JsonObject {
  const { required, properties, type } = schema;
  if (!Array.isArray(required) || type !== "object") return schema;
  const described = isObject(properties) ? properties : {};
  const missing = (required as readonly Json[]).filter(
    (name) => typeof name === "string" && !Object.hasOwn(described, name),
  );
  if (missing.length === 0) return schema;
  const any = missing.map((name) => [name as string, {}] as const);
  return { ...schema, properties: { ...described, ...Object.fromEntries(any) } };
}

/** Returns the types that a schema lists; none when it accepts every type. */
function typesOf({ type }: JsonObject): readonly string[] {
  return type === undefined ? [] : ([type].flat() as readonly string[]);
}
