import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { PUBLISHED, readReference } from "../../reference/reference.js";

/** Returns the schema that upstream publishes; undefined for profiles of ours alone. */
export function publishedSchema(profile: string): JsonSchema | undefined {
  const known: readonly string[] = PUBLISHED;
  return known.includes(profile) ? readReference(profile) : undefined;
}
