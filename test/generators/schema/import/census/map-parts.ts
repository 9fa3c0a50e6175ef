import {
  isObject,
  type Json,
  type JsonObject,
} from "../../../../../generators/schema/json-schema/json.js";

/** Keywords of all drafts whose values are schemas by name. */
const BY_NAME = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
];

/** Keywords whose values are not schemas. */
const VALUES = ["enum", "const", "default", "examples", "required", "type", "dependentRequired"];

/** Rebuilds a document of any draft: every schema in it is mapped, then the schema that holds it. */
export function mapParts(schema: JsonObject, change: (part: JsonObject) => JsonObject): JsonObject {
  const mapped = (value: Json): Json => {
    if (Array.isArray(value)) return (value as readonly Json[]).map(mapped);
    return isObject(value) ? mapParts(value, change) : value;
  };
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (VALUES.includes(keyword)) return [keyword, value!];
    if (!BY_NAME.includes(keyword) || !isObject(value)) return [keyword, mapped(value!)];
    const parts = Object.entries(value).map(([name, part]) => [name, mapped(part!)]);
    return [keyword, Object.fromEntries(parts) as JsonObject];
  });
  return change(Object.fromEntries(entries) as JsonObject);
}
