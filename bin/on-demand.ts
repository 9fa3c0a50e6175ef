// The files of `out/` that `.gitignore` lists: Python and Go of all profiles but `v1`. The repository has their
// digests, in the manifest.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileDigest, MANIFEST_FILE } from "../generators/output/manifest.js";
import { ROOT } from "../generators/run/installation.js";
import { readManifest } from "../generators/run/generate/manifest-file.js";

const OUT = join(ROOT, "out");

/** Matches their paths in the output folder. */
export const ON_DEMAND = /^(go\/acp|python\/acp_bindings\/)v(?!1\/)[^/]*\//;

/**
 * Generates the files that are missing or have another digest than the manifest. It changes no committed file:
 * when the sources have changed since, `generate --check` reports it.
 *
 * @throws InputError for an error in the schema
 */
export async function restoreOnDemand(): Promise<void> {
  if (removeStale()) return;
  console.info("Generating Python and Go of the profiles that the repository has as digests.");
  const { compileProfiles } = await import("../generators/run/generate/compile-profiles.js");
  for (const { path, text } of await compileProfiles({ targets: ["python", "go"] })) {
    if (!ON_DEMAND.test(path)) continue;
    const file = join(OUT, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * Removes files that do not have the digest that the manifest lists: they are from another revision.
 *
 * @param out the output folder, absolute
 * @returns whether all files are there
 */
export function removeStale(out = OUT): boolean {
  const listed = readManifest(out, MANIFEST_FILE)?.files ?? [];
  const missing = new Map(
    listed.filter(({ path }) => ON_DEMAND.test(path)).map(({ path, sha256 }) => [path, sha256]),
  );
  for (const path of ["go", "python/acp_bindings"].flatMap((folder) => filesIn(out, folder))) {
    const file = join(out, path);
    if (missing.get(path) === fileDigest(readFileSync(file, "utf8"))) missing.delete(path);
    else rmSync(file);
  }
  return missing.size === 0;
}

function filesIn(out: string, folder: string): string[] {
  return readdirSync(join(out, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(out, join(parentPath, name)).replaceAll("\\", "/"))
    .filter((path) => ON_DEMAND.test(path));
}
