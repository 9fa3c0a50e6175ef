import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";

/**
 * The ids that the parts of a definition have on its page, read from the
 * schema alone: `field-<property>`, `variant-<tag or title>`,
 * `value-<constant>`, deeper ones after a dot; each with what stands there.
 */
export function partsOf(schema: JsonSchema): ReadonlyMap<string, JsonSchema> {
  const found = new Map<string, JsonSchema>();
  walkParts(schema, (part, id) => {
    if (id !== "" && !found.has(id)) found.set(id, part);
  });
  return found;
}

/**
 * Visits every schema inside a definition with the id of the part that it is
 * in, empty for the definition itself; what `not` excludes is no part.
 */
function walkParts(
  schema: JsonSchema,
  visit: (part: JsonSchema, id: string) => void,
  at = "",
): void {
  visit(schema, at);
  const inner = (step: string): string => (at === "" ? step : `${at}.${step}`);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    walkParts(property, visit, inner(`field-${token(name)}`));
  const { items, additionalProperties, allOf = [] } = schema;
  for (const part of [items, additionalProperties, ...allOf])
    if (typeof part === "object") walkParts(part, visit, at);
  const alternatives = alternativesOf(schema);
  // The property that tells the variants apart stands with none of them.
  const tag = alternatives.map(tagOf).find((one) => one !== undefined)?.name;
  for (const part of alternatives) {
    const name = tagOf(part)?.value ?? (isOther(part, alternatives) ? undefined : part.title);
    const step =
      part.const !== undefined
        ? inner(`value-${token(String(part.const))}`)
        : name === undefined
          ? at
          : inner(`variant-${token(name)}`);
    walkParts(tag === undefined ? part : without(part, tag), visit, step);
  }
}

/** The alternatives of a schema, whichever keyword lists them. */
function alternativesOf({ anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return [...anyOf, ...oneOf];
}

/** The placeholder for all values that a list does not name. */
function isOther(part: JsonSchema, alternatives: readonly JsonSchema[]): boolean {
  return part.properties === undefined && alternatives.some((one) => one.const !== undefined);
}

function tagOf({
  properties = {},
  required = [],
}: JsonSchema): { readonly name: string; readonly value: string } | undefined {
  const tags = Object.entries(properties).filter(
    ([name, property]) => property.const !== undefined && required.includes(name),
  );
  return tags.length === 1 ? { name: tags[0]![0], value: String(tags[0]![1].const) } : undefined;
}

/** A variant without the property that every variant has. */
function without(schema: JsonSchema, name: string): JsonSchema {
  const { [name]: _, ...properties } = schema.properties ?? {};
  return { ...schema, properties };
}

/** As addresses write a name; those of the protocol need nothing else. */
function token(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, (sign) => `$${sign.charCodeAt(0).toString(16)}`);
}
