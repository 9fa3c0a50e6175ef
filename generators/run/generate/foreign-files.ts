import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { MANIFEST_FILE, type Manifest } from "../../output/manifest.js";

/**
 * Finds files that no run has generated in folders that have generated files. The
 * manifest of a site, the output folder itself and subfolders without generated files are not searched.
 *
 * @returns paths relative to the output folder, sorted
 */
export function findForeign(out: string, manifests: readonly Manifest[]): string[] {
  const known = new Set(manifests.flatMap(({ files }) => files.map(({ path }) => path)));
  const folders = new Set<string>();
  for (const path of known) {
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) folders.add(folder);
  }
  return [...folders]
    .flatMap((folder) => filesIn(out, folder))
    .filter((path) => !known.has(path))
    .sort();
}

function filesIn(out: string, folder: string): string[] {
  try {
    return readdirSync(join(out, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== MANIFEST_FILE)
      .map(({ name }) => `${folder}/${name}`);
  } catch {
    // The drift reports a missing folder.
    return [];
  }
}
