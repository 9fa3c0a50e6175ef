import type { JsonSchema } from "./json.js";

/** The keyword that holds a definition's alternatives, when it has any. */
export function unionKeyword(schema: JsonSchema): "oneOf" | "anyOf" | undefined {
  if (schema.oneOf !== undefined) return "oneOf";
  return schema.anyOf !== undefined ? "anyOf" : undefined;
}

/** The alternatives of a union; none for any other schema. */
export function variantsOf(schema: JsonSchema): readonly JsonSchema[] {
  return schema.oneOf ?? schema.anyOf ?? [];
}

/**
 * The tag of a variant: the one property that it requires to be a constant text,
 * with its value; undefined when it has no such property.
 */
export function tagOf(
  variant: JsonSchema,
): { readonly name: string; readonly value: string } | undefined {
  const tags = Object.entries(variant.properties ?? {}).filter(
    ([name, property]) => typeof property.const === "string" && variant.required?.includes(name),
  );
  const [tag] = tags;
  return tag === undefined || tags.length > 1
    ? undefined
    : { name: tag[0], value: tag[1].const as string };
}

/**
 * The name of the property that distinguishes a union's variants: given by
 * `discriminator`, or shared by every variant that has a tag, with another value in each. Tags are texts.
 */
export function tagName(schema: JsonSchema): string | undefined {
  if (schema.discriminator !== undefined) return schema.discriminator.propertyName;
  const tags = variantsOf(schema).flatMap((variant) => tagOf(variant) ?? []);
  const [name, ...others] = new Set(tags.map((tag) => tag.name));
  if (name === undefined || others.length > 0) return undefined;
  if (new Set(tags.map(({ value }) => value)).size < tags.length) return undefined;
  const isOther = (variant: JsonSchema): boolean => {
    const { properties = {}, patternProperties, additionalProperties = true } = variant;
    // A variant that does not declare the tag may refuse it, or ask for another type of it.
    if (!Object.hasOwn(properties, name))
      return patternProperties !== undefined || additionalProperties !== true;
    const value = properties[name]!.const;
    return value !== undefined && typeof value !== "string";
  };
  return variantsOf(schema).some(isOther) ? undefined : name;
}

/** Checks whether a variant accepts the tag values that no other variant has. */
export function isOpenVariant(variant: JsonSchema, tag: string): boolean {
  const property = variant.properties?.[tag];
  return (
    property !== undefined &&
    property.const === undefined &&
    property.type === "string" &&
    variant.required?.includes(tag) === true
  );
}

/** Returns the name by which other files refer to a variant: its constant, its tag's value or its title. */
export function variantName(variant: JsonSchema): string {
  return String(variant.const ?? tagOf(variant)?.value ?? variant.title ?? "");
}

/** Checks whether a variant is identified by a constant: a tag or an enumeration's value. */
export function hasConstant(variant: JsonSchema): boolean {
  return variant.const !== undefined || tagOf(variant) !== undefined;
}
