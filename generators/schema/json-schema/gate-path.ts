import { isObject, type JsonSchema } from "./json.js";
import { referencedName } from "./references.js";

/**
 * Follows a path of property names, such as that of a gate, through references
 * and nullable wrappers.
 *
 * @param start the schema that the path begins in
 * @returns the schema at its end; undefined when it leads nowhere
 */
export function resolvePath(
  path: readonly string[],
  start: JsonSchema | undefined,
  schemaOf: (name: string) => JsonSchema | undefined,
): JsonSchema | undefined {
  let schema = start;
  for (const name of path) {
    const properties = schema && resolved(schema, schemaOf)?.properties;
    schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  return schema && resolved(schema, schemaOf);
}

function resolved(
  schema: JsonSchema,
  schemaOf: (name: string) => JsonSchema | undefined,
): JsonSchema | undefined {
  const inner = schema.anyOf?.[0] ?? schema.allOf?.[0] ?? schema;
  const name = referencedName(inner);
  return name === undefined ? inner : schemaOf(name);
}
