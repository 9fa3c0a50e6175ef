import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../support/paths.js";

/** Returns the schema that upstream publishes; undefined for profiles of ours alone. */
export function publishedSchema(profile: string): JsonSchema | undefined {
  const [version, surface] = profile.split("-");
  if (surface === "full") return undefined;
  const file = surface === undefined ? "schema.json" : "schema.unstable.json";
  const folder = "node_modules/@agentclientprotocol/sdk/schema";
  return JSON.parse(readFileSync(join(ROOT, folder, version!, file), "utf8")) as JsonSchema;
}
