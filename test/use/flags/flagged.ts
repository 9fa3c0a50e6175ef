import { textOfPattern } from "../../../generators/model/sample/pattern.js";
import type { Json, JsonObject, JsonSchema } from "../../../generators/schema/json-schema/json.js";

const FLAGS = [
  "x-deserialize-default-on-error",
  "x-deserialize-default-on-null",
  "x-deserialize-skip-invalid-items",
] as const;

/** A flagged property of one reading of a definition: of itself or of one of its variants. */
export interface FlaggedProperty {
  readonly definition: string;
  /** Which variants were taken; empty where the definition has none. */
  readonly variant: string;
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** The smallest valid value of this reading, without the property. */
  readonly base: JsonObject;
  /** Where the base has a tag that is not listed. */
  readonly unknownTag?: string;
}

/** A definition with one variant of each union. */
interface Reading {
  readonly variant: string;
  /** Everything that is said of each property; tags are described twice. */
  readonly properties: ReadonlyMap<string, readonly JsonSchema[]>;
  readonly required: readonly string[];
}

export function isFlagged(schema: JsonSchema): boolean {
  return FLAGS.some((flag) => schema[flag]);
}

export function resolve(schema: JsonSchema, bundle: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  return resolve(bundle.$defs![schema.$ref.slice("#/$defs/".length)]!, bundle);
}

/** Every flagged property of every reading of every definition. */
export function flaggedProperties(bundle: JsonSchema): FlaggedProperty[] {
  return Object.entries(bundle.$defs!).flatMap(([definition, schema]) =>
    readings(schema, bundle).flatMap((reading) => {
      const { variant, properties, required } = reading;
      return [...properties].flatMap(([name, said]): FlaggedProperty[] => {
        const schema = said.find(isFlagged);
        if (schema === undefined) return [];
        const unknownTag = [...properties].find(([, all]) => all.some(isOpenTag))?.[0];
        return [
          {
            definition,
            variant,
            name,
            schema,
            // A tag that may be absent is required by the variants that it chooses, not by the value.
            isRequired: said.length === 1 && required.includes(name),
            base: smallest(reading, bundle, name),
            ...(unknownTag !== undefined && { unknownTag }),
          },
        ];
      });
    }),
  );
}

/** Marks the tag of a variant for what no other variant lists. */
const OPEN = "x-open";

function isOpenTag(schema: JsonSchema): boolean {
  return schema.$comment === OPEN;
}

function readings(schema: JsonSchema, bundle: JsonSchema): Reading[] {
  const { properties = {}, required = [], allOf = [], not, ...rest } = resolve(schema, bundle);
  const type = rest.type ?? "object";
  if (type !== "object") return [];
  const excluded = not?.anyOf?.[0]?.required?.[0];
  const own = Object.entries(properties).map(([name, said]): [string, JsonSchema[]] => [
    name,
    [name === excluded ? { ...said, $comment: OPEN } : said],
  ]);
  let result: Reading[] = [{ variant: "", properties: new Map(own), required }];
  for (const part of allOf) result = both(result, readings(part, bundle));
  const variants = rest.anyOf ?? rest.oneOf;
  if (variants === undefined) return result;
  const alternatives = variants.flatMap((variant, index) =>
    readings(variant, bundle).map((reading) => ({
      ...reading,
      variant: `/${labelOf(variant) ?? index}${reading.variant}`,
    })),
  );
  return both(result, alternatives);
}

function labelOf(variant: JsonSchema): Json | undefined {
  const constants = Object.values(variant.properties ?? {}).flatMap((said) => said.const ?? []);
  return constants[0] ?? variant.title;
}

function both(first: readonly Reading[], second: readonly Reading[]): Reading[] {
  return first.flatMap((one) =>
    second.map((other) => {
      const properties = new Map(one.properties);
      for (const [name, said] of other.properties)
        properties.set(name, [...(properties.get(name) ?? []), ...said]);
      return {
        variant: one.variant + other.variant,
        properties,
        required: [...one.required, ...other.required],
      };
    }),
  );
}

/** The required properties, each as small as can be. */
function smallest(reading: Reading, bundle: JsonSchema, except: string): JsonObject {
  const names = new Set(reading.required.filter((name) => name !== except));
  return Object.fromEntries(
    [...names].map((name) => [name, smallestValue(reading.properties.get(name)!.at(-1)!, bundle)]),
  );
}

/** The smallest value of a schema; of a union, that of the first variant. */
export function smallestValue(schema: JsonSchema, bundle: JsonSchema): Json {
  const target = resolve(schema, bundle);
  const { const: constant, enum: values, allOf, type, items, minimum, minItems, pattern } = target;
  if (constant !== undefined) return constant;
  if (values !== undefined) return values[0]!;
  const [reading] = readings(target, bundle);
  if (reading !== undefined && (target.properties ?? allOf ?? reading.variant) !== "")
    return smallest(reading, bundle, "");
  const first = allOf?.[0] ?? (target.anyOf ?? target.oneOf)?.[0];
  if (first !== undefined) return smallestValue(first, bundle);
  switch (typeof type === "object" ? type[0] : type) {
    case "null":
      return null;
    case "string":
      // The official SDK checks this one format.
      if (target.format === "uri") return "made:value";
      return pattern === undefined ? "made" : textOfPattern(pattern, 1)!;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return minimum ?? 0;
    case "array":
      return Array.from({ length: minItems ?? 0 }, () => smallestValue(items!, bundle));
    default:
      return {};
  }
}
