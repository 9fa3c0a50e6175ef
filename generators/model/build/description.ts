import type { JsonSchema } from "../../schema/json-schema/json.js";

/** The sentences of annotations, as the specification of JSON Schema explains them (validation, section 9). */
const SENTENCES = {
  deprecated: "Deprecated.",
  readOnly: "Read-only: its owner ignores changes.",
  writeOnly: "Write-only: its owner never sends it.",
} as const;

/** Returns the description of a schema with a paragraph for what its annotations say. */
export function descriptionOf(schema: JsonSchema): string {
  const sentences = Object.entries(SENTENCES).flatMap(([keyword, sentence]) =>
    schema[keyword as keyof typeof SENTENCES] === true ? [sentence] : [],
  );
  const { description = "" } = schema;
  return [...(description === "" ? [] : [description]), ...sentences].join("\n\n");
}
