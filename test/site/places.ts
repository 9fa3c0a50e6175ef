import type { JsonSchema } from "../../generators/schema/json.js";

/**
 * The ids that the parts of a definition have on its page, read from the
 * published schema alone: `field-<property>`, `variant-<tag or title>`,
 * `value-<constant>`, deeper ones after a dot.
 */
export function placesOf(schema: JsonSchema): ReadonlySet<string> {
  const found = new Set<string>();
  visit(schema, "", found);
  return found;
}

function visit(schema: JsonSchema, at: string, found: Set<string>): void {
  const alternatives = alternativesOf(schema);
  const tags = alternatives.map(tagOf);
  // The property that tells the variants apart stands with none of them.
  const tagName = tags.find((tag) => tag !== undefined)?.name;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const id = `${at}field-${token(name)}`;
    found.add(id);
    visit(property, `${id}.`, found);
  }
  if (schema.items !== undefined) visit(schema.items, at, found);
  if (typeof schema.additionalProperties === "object")
    visit(schema.additionalProperties, at, found);
  alternatives.forEach((part, index) => {
    if (part.const !== undefined) found.add(`${at}value-${token(String(part.const))}`);
    else if (tags[index] !== undefined) {
      const id = `${at}variant-${token(tags[index].value)}`;
      found.add(id);
      visit(without(part, tags[index].name), `${id}.`, found);
    } else if (part.title !== undefined && !isOther(part, alternatives)) {
      const id = `${at}variant-${token(part.title)}`;
      found.add(id);
      visit(tagName === undefined ? part : without(part, tagName), `${id}.`, found);
    }
  });
}

/** What stands for all values that a list does not name. */
function isOther(part: JsonSchema, alternatives: readonly JsonSchema[]): boolean {
  return part.properties === undefined && alternatives.some((one) => one.const !== undefined);
}

function alternativesOf({ anyOf = [], oneOf = [] }: JsonSchema): readonly JsonSchema[] {
  return [...anyOf, ...oneOf];
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
