import { isObject, type Json, type JsonSchema } from "./json.js";

/** A place inside a schema: its JSON pointer tokens, from the schema that was walked. */
export type Path = readonly (string | number)[];

/** Returns the part of a document that a path leads to; undefined where it leads nowhere. */
export function partAt(document: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((part, token) => {
    if (Array.isArray(part)) return (part as readonly Json[])[Number(token)];
    return isObject(part) && Object.hasOwn(part, String(token)) ? part[String(token)] : undefined;
  }, document);
}

/** Keywords whose values are schemas by names. */
const BY_NAME = ["properties", "patternProperties"] as const;
/** Keywords whose value is one schema. */
const ONE = ["items", "not", "additionalProperties"] as const;
/** Keywords whose value is a list of schemas. */
const LIST = ["allOf", "anyOf", "oneOf"] as const;

/**
 * Visits a schema and every schema inside it, outermost first.
 *
 * @param visit called with each schema and the path that leads to it
 */
export function walk(
  schema: JsonSchema,
  visit: (schema: JsonSchema, path: Path) => void,
  path: Path = [],
): void {
  visit(schema, path);
  for (const keyword of BY_NAME)
    for (const [name, property] of Object.entries(schema[keyword] ?? {}))
      walk(property, visit, [...path, keyword, name]);
  for (const keyword of ONE) {
    const child = schema[keyword];
    if (typeof child === "object") walk(child, visit, [...path, keyword]);
  }
  for (const keyword of LIST) {
    schema[keyword]?.forEach((child, index) => walk(child, visit, [...path, keyword, index]));
  }
}

/**
 * Rebuilds a schema from the inside out: every schema inside it is mapped
 * first, then the schema that holds it.
 *
 * @param change gets a schema whose parts are mapped already, returns what takes its place
 */
export function mapSchema(
  schema: JsonSchema,
  change: (schema: JsonSchema, path: Path) => JsonSchema,
  path: Path = [],
): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    const at = [...path, keyword];
    if ((BY_NAME as readonly string[]).includes(keyword)) {
      const properties = Object.entries(value as NonNullable<JsonSchema["properties"]>);
      return [
        keyword,
        Object.fromEntries(
          properties.map(([name, property]) => [name, mapSchema(property, change, [...at, name])]),
        ),
      ];
    }
    if ((ONE as readonly string[]).includes(keyword) && typeof value === "object") {
      return [keyword, mapSchema(value as JsonSchema, change, at)];
    }
    if ((LIST as readonly string[]).includes(keyword)) {
      const list = value as readonly JsonSchema[];
      return [keyword, list.map((item, index) => mapSchema(item, change, [...at, index]))];
    }
    return [keyword, value];
  });
  return change(Object.fromEntries(entries) as JsonSchema, path);
}
