import { isObject, type Json, type JsonObject, type JsonSchema } from "./json.js";
import { mapSchema, type Path } from "./walk.js";

/** Reports a text that a version lacks or has twice. */
type Note = (path: Path, message: string, hint: string) => void;

/**
 * Selects the texts of one protocol version in a module that versions share:
 * `x-descriptions` becomes `description`, and a text per version in `x-meta` a single text.
 *
 * @param version the name of the version, such as `v1`
 * @param note called for each place without a text for the version
 */
export function inVersion(schema: JsonSchema, version: string, note: Note): JsonSchema {
  return mapSchema(schema, (part, path) => {
    const entries = Object.entries(part as JsonObject).map(([keyword, value]): [string, Json] => {
      const isPerVersion =
        keyword === "x-descriptions" || (keyword === "x-meta" && isObject(value));
      if (!isPerVersion) return [keyword, value];
      const text = (value as JsonObject)[version];
      if (text === undefined)
        note([...path, keyword], `there is no text for ${version}`, "Add one.");
      if (keyword === "x-meta") return [keyword, text ?? true];
      if (part.description !== undefined)
        note([...path, keyword], "the place has a `description` as well", "Remove one of them.");
      return ["description", text ?? ""];
    });
    return Object.fromEntries(entries) as JsonSchema;
  });
}
