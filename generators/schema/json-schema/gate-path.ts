import { isObject, type JsonSchema } from "./json.js";
import { referencedName } from "./references.js";

/** A capability of a vendor, which no schema describes: it is advertised as `true`. */
const VENDOR_CAPABILITY: JsonSchema = { type: "boolean" };

/** Reads the names of a path such as `agentCapabilities._meta["example.org"].reindex`. */
export function readGatePath(text: string): readonly string[] {
  return [...text.matchAll(/\["([^"]*)"\]|[^.[\]"]+/g)].map(([name, quoted]) => quoted ?? name);
}

/** Returns the text of a path: names that are not words are quoted in brackets. */
export function gatePathText(path: readonly string[]): string {
  return path
    .map((name) => (/^\w+$/.test(name) ? `.${name}` : `["${name}"]`))
    .join("")
    .replace(/^\./, "");
}

/**
 * Follows a path of property names, such as that of a gate, through references
 * and nullable wrappers. Below `_meta`, every path leads to a capability of a vendor.
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
  for (const [index, name] of path.entries()) {
    const inner = schema && resolved(schema, schemaOf);
    const properties = inner?.properties;
    if (name === "_meta" && (inner?.["x-meta"] !== undefined || properties?.["_meta"]))
      return index < path.length - 1 ? VENDOR_CAPABILITY : undefined;
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
    yield gatePathText([...path, name]);
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
