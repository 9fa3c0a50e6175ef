import { findMismatch } from "../json-schema/find-mismatch.js";
import type { JsonSchema } from "../json-schema/json.js";
import { mapSchema, type Path } from "../json-schema/walk.js";

/**
 * Removes the defaults of a schema that do not fit the schema they stand in: a default annotates (JSON
 * Schema 2020-12, validation, section 9.2), but a receiver would insert what it does not accept.
 *
 * @param schema a document of the right form, without dangling references
 * @returns the places of the defaults that were removed
 */
export function withoutUnfitDefaults(schema: JsonSchema): {
  readonly schema: JsonSchema;
  readonly unfit: readonly Path[];
} {
  const { $defs = {}, ...root } = schema;
  const unfit: Path[] = [];
  const definitions = Object.entries($defs).map(([name, definition]) => [
    name,
    mapSchema(
      definition,
      (part, path) => {
        const { default: own, ...rest } = part;
        if (own === undefined || findMismatch(part, own, $defs) === undefined) return part;
        unfit.push([...path, "default"]);
        return rest;
      },
      ["$defs", name],
    ),
  ]);
  if (unfit.length === 0) return { schema, unfit };
  // A default may have fitted only because of another one, which completed it.
  const others = withoutUnfitDefaults({ ...root, $defs: Object.fromEntries(definitions) as never });
  return { schema: others.schema, unfit: [...unfit, ...others.unfit] };
}
