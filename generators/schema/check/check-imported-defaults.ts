import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../json-schema/json.js";
import { walk } from "../json-schema/walk.js";
import { jsonPointer, type Problem } from "../problem.js";

/**
 * Finds defaults of an imported schema that do not fit the schema they stand in.
 *
 * @param schema a document of the right form, without dangling references
 * @param file how problems name it
 */
export function checkImportedDefaults(schema: JsonSchema, file: string): readonly Problem[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema(schema, "schema");
  const problems: Problem[] = [];
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) {
    walk(definition, (part, path) => {
      // Most defaults are plain, and a validator takes milliseconds to compile.
      if (
        part.default === undefined ||
        (part.type === "boolean" && typeof part.default === "boolean")
      )
        return;
      const pointer = jsonPointer(["$defs", name, ...path]);
      if (ajv.validate(`schema#${encodeURI(pointer)}`, part.default)) return;
      problems.push({
        file,
        pointer: `${pointer}/default`,
        message: `the default does not fit its schema: ${ajv.errorsText(ajv.errors, { dataVar: "it" })}`,
        hint: "Correct the default or the schema.",
      });
    });
  }
  return problems;
}
