import { parse } from "node:path";
import { findDamage } from "../../output/integrity.js";
import { refuseLeadingOut } from "../../output/disk/obstacles.js";
import type { Manifest } from "../../output/manifest.js";
import { hasLeftOvers } from "../../output/disk/staging.js";
import { readOutput } from "../../output/disk/write.js";
import { resolveOptions } from "../defaults.js";
import type { GenerateOptions } from "../options.js";
import type { GenerateResult } from "./generate-result.js";
import { inputDigest, isFrom, type InputDigest } from "./input-digest.js";
import { usageError } from "../messages.js";
import { manifestPathOf, readManifest } from "./manifest-file.js";

export type { GenerateOptions } from "../options.js";
export type { GenerateResult } from "./generate-result.js";

/**
 * Composes the profiles, compiles the targets and updates the output folder; with
 * `check` it only compares. A run whose inputs have generated exactly what exists
 * returns early, without loading the compiler.
 *
 * @returns the differences that were found; a run without `check` has removed them
 * @throws InputError for an error in the schema or the options, OutputError when writing fails
 */
export async function generate(options: GenerateOptions = {}): Promise<GenerateResult> {
  const resolved = resolveOptions(options);
  const { out, targets } = resolved;
  if (out === parse(out).root)
    throw usageError("the output folder is the root of the file system", "Name a folder below it.");
  refuseLeadingOut(process.cwd(), out);
  const manifest = readManifest(out, manifestPathOf(targets));
  const digest = inputDigest(resolved);
  if (!options.check && isUpToDate(out, manifest, digest)) {
    const nothing = { write: [], remove: [], left: [], foreign: [], causes: [], edited: [] };
    return { out, ...nothing, unchanged: manifest.files.length, interrupted: false };
  }
  const { updateOutput } = await import("./update-output.js");
  return updateOutput(resolved, manifest, digest);
}

/** Returns whether all files are what inputs with this digest give. */
function isUpToDate(
  out: string,
  manifest: Manifest | undefined,
  digest: InputDigest | undefined,
): manifest is Manifest {
  if (manifest === undefined || hasLeftOvers(out)) return false;
  if (digest === undefined || !isFrom(manifest, digest)) return false;
  return findDamage(manifest, (path) => readOutput(out, path)).length === 0;
}
