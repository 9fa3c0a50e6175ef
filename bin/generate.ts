// `npm run generate`: what follows from the schema in the repository itself, then the output.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { buildProtocol } from "../generators/model/build/build.js";
import { publishedNames } from "../generators/model/parts/published-names.js";
import { SCHEMA } from "../generators/run/installation.js";
import { resolveInputs } from "../generators/run/inputs/select-profiles.js";
import { InputError } from "../generators/schema/problem.js";

try {
  await pinNames();
} catch (error) {
  // The command reports what is wrong with the schema.
  if (!(error instanceof InputError)) throw error;
}
process.argv.splice(2, 0, "generate");
await import("../generators/cli/main.js");

/** Adds the names of new parts to the published ones, and removes those of parts that are gone. */
async function pinNames(): Promise<void> {
  const versions = publishedNames(
    resolveInputs({}, SCHEMA).map(({ bundle, profile }) => buildProtocol(bundle, profile)),
  );
  const file = join(SCHEMA, "part-names.json");
  const document = { $schema: "dialect/part-names.schema.json", versions };
  const text = await format(JSON.stringify(document), { parser: "json" });
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  writeFileSync(file, text);
  console.log("schema/part-names.json has the names of the parts");
}
