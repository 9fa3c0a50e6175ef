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

/**
 * Lists the paths of all properties that a schema leads to, through references and nullable
 * wrappers, each without a name twice.
 */
export function* pathsBelow(
  start: JsonSchema,
  schemaOf: (name: string) => JsonSchema | undefined,
  path: readonly string[] = [],
): Generator<string> {
  const properties = resolved(start, schemaOf)?.properties;
  for (const [name, property] of Object.entries(properties ?? {})) {
    if (path.includes(name)) continue;
    yield [...path, name].join(".");
    yield* pathsBelow(property, schemaOf, [...path, name]);
  }
}

function resolved(
  schema: JsonSchema,
  schemaOf: (name: string) => JsonSchema | undefined,
): JsonSchema | undefined {
  const inner = schema.anyOf?.[0] ?? schema.allOf?.[0] ?? schema;
  const name = referencedName(inner);
  return name === undefined ? inner : schemaOf(name);
}
