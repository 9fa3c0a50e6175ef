// `npm run generate`: the output, and what else in the repository follows from the schema.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { buildProtocol } from "../generators/model/build/build.js";
import type { Protocol } from "../generators/model/protocol.js";
import { publishedNames } from "../generators/model/parts/published-names.js";
import { refuseClashes } from "../generators/run/generate/check-names.js";
import { SCHEMA } from "../generators/run/installation.js";
import { resolveInputs } from "../generators/run/inputs/select-profiles.js";
import { InputError } from "../generators/schema/problem.js";
import { updateDigests } from "./corpus-digests.js";
import { removeStale } from "./on-demand.js";

const protocols = buildProtocols();
if (protocols !== undefined) await pinNames(protocols);
removeStale();
process.argv.splice(2, 0, "generate");
await import("../generators/cli/main.js");
if (protocols !== undefined && process.exitCode === 0 && process.argv.length === 3)
  if (await updateDigests(protocols)) console.log("the digests of the corpus are up to date");

/** Returns the protocols of all profiles; undefined for a wrong schema, which the command reports. */
function buildProtocols(): readonly Protocol[] | undefined {
  try {
    const protocols = resolveInputs({}, SCHEMA).map(({ bundle, profile }) =>
      buildProtocol(bundle, profile),
    );
    refuseClashes(protocols);
    return protocols;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Adds the names of new parts to the published ones, and removes those of parts that are gone. */
async function pinNames(protocols: readonly Protocol[]): Promise<void> {
  const file = join(SCHEMA, "part-names.json");
  const document = {
    $schema: "dialect/part-names.schema.json",
    versions: publishedNames(protocols),
  };
  const text = await format(JSON.stringify(document), { parser: "json" });
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  writeFileSync(file, text);
  console.log("schema/part-names.json has the names of the parts");
}
