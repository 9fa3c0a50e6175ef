import { parse, resolve } from "node:path";
import { findDamage } from "../../output/integrity.js";
import { refuseLeadingOut } from "../../output/disk/obstacles.js";
import { hasLeftOvers } from "../../output/disk/staging.js";
import { readOutput } from "../../output/disk/write.js";
import type { GenerateOptions } from "../options.js";
import type { GenerateResult } from "./generate-result.js";
import { inputDigest, isFrom } from "./input-digest.js";
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
  const out = resolve(options.out ?? "out");
  if (out === parse(out).root)
    throw usageError("the output folder is the root of the file system", "Name a folder below it.");
  refuseLeadingOut(process.cwd(), out);
  const unchanged = options.check ? undefined : countUpToDate(out, options);
  if (unchanged !== undefined) {
    const nothing = { write: [], remove: [], left: [], foreign: [], causes: [], edited: [] };
    return { out, ...nothing, unchanged, interrupted: false };
  }
  const { updateOutput } = await import("./update-output.js");
  return updateOutput(out, options);
}

/** Returns the number of files when all of them are what these inputs give, else undefined. */
function countUpToDate(out: string, options: GenerateOptions): number | undefined {
  const manifest = readManifest(out, manifestPathOf(options.targets));
  if (manifest === undefined || hasLeftOvers(out)) return undefined;
  const inputs = inputDigest(options);
  if (inputs === undefined || !isFrom(manifest, inputs)) return undefined;
  const isWhole = findDamage(manifest, (path) => readOutput(out, path)).length === 0;
  return isWhole ? manifest.files.length : undefined;
}
