import type { Json, JsonObject, JsonSchema } from "../../generators/schema/json-schema/json.js";
import { namedParts, toSource } from "./merge.js";

/** Returns the definitions of a schema, and their properties and variants: `Plan`, `Plan.entries`, `ToolKind/read`. */
export function factsOf({ $defs = {} }: JsonSchema): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const [name, schema] of Object.entries($defs)) {
    if (schema["x-docs-ignore"]) continue;
    facts.add(name);
    for (const end of namedParts(toSource(schema)).keys()) facts.add(name + end);
  }
  return facts;
}

/** Returns a schema without its descriptions; properties of that name stay. */
export function withoutTexts(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema as JsonObject).flatMap(
    ([keyword, value]): [string, Json][] => {
      if (keyword === "description") return [];
      if (["const", "default", "enum"].includes(keyword)) return [[keyword, value]];
      return [[keyword, withoutIn(value, keyword === "properties" || keyword === "$defs")]];
    },
  );
  return Object.fromEntries(entries) as JsonSchema;
}

/** @param isNamed whether the members of the value are schemas, and their names are not keywords */
function withoutIn(value: Json, isNamed: boolean): Json {
  if (Array.isArray(value)) return value.map((one) => withoutIn(one as Json, false));
  if (typeof value !== "object" || value === null) return value;
  if (!isNamed) return withoutTexts(value as JsonSchema) as Json;
  const entries = Object.entries(value).map(
    ([name, one]) => [name, withoutIn(one, false)] as const,
  );
  return Object.fromEntries(entries);
}
