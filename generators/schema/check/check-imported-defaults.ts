import { findMismatch } from "../json-schema/find-mismatch.js";
import type { JsonSchema } from "../json-schema/json.js";
import { walk } from "../json-schema/walk.js";
import { jsonPointer, type Problem } from "../problem.js";

/**
 * Finds defaults of an imported schema that do not fit the schema they stand in: a receiver would
 * insert what it would not accept.
 *
 * @param schema a document of the right form, without dangling references
 * @param file how problems name it
 */
export function checkImportedDefaults(schema: JsonSchema, file: string): readonly Problem[] {
  const { $defs = {} } = schema;
  const problems: Problem[] = [];
  for (const [name, definition] of Object.entries($defs)) {
    walk(definition, (part, path) => {
      if (part.default === undefined) return;
      const found = findMismatch(part, part.default, $defs);
      if (found === undefined) return;
      problems.push({
        file,
        pointer: jsonPointer(["$defs", name, ...path, "default", ...found.path]),
        message: `the default does not fit its schema, which expects ${found.expected}`,
        hint: "Correct the default or the schema.",
      });
    });
  }
  return problems;
}
