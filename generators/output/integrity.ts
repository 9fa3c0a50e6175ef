import { fileDigest, type Manifest } from "./manifest.js";

/** A file of the manifest that is not as it was written. */
export interface Damage {
  readonly path: string;
  readonly kind: "missing" | "changed";
}

/**
 * Compares the files that a manifest lists with those on disk. Does
 * not check whether they are what the schema generates today.
 *
 * @param read returns the text of a file on disk; `undefined` when it does not exist
 */
export function findDamage(
  manifest: Manifest,
  read: (path: string) => string | undefined,
): Damage[] {
  return manifest.files.flatMap((entry): Damage[] => {
    const text = read(entry.path);
    if (text === undefined) return [{ path: entry.path, kind: "missing" }];
    return fileDigest(text) === entry.sha256 ? [] : [{ path: entry.path, kind: "changed" }];
  });
}
