import type { Protocol } from "../../../model/protocol.js";
import { outputPath } from "../../../output/file.js";
import { mapSchema } from "../../../schema/json-schema/walk.js";
import type { JsonSchema } from "../../../schema/json-schema/json.js";
import type { EmittedFile } from "../../emitter.js";

/**
 * Returns the schema of a profile without its texts, as a file of the package: `acp-codegen diff`
 * compares a packed package by it.
 */
export function publishedStructure({ profile, schema }: Protocol): EmittedFile {
  const { $defs = {}, ...root } = schema;
  const definitions = Object.entries($defs).map(([name, one]): [string, JsonSchema] => [
    name,
    withoutTexts(one),
  ]);
  return {
    path: outputPath("typescript", "schema", `${profile}.json`),
    profile,
    text: `${JSON.stringify({ ...withoutTexts(root), $defs: Object.fromEntries(definitions) })}\n`,
    language: "plain",
  };
}

function withoutTexts(schema: JsonSchema): JsonSchema {
  return mapSchema(schema, ({ description: _, ...part }) => part);
}
