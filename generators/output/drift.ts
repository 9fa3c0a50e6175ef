import type { VirtualFile } from "./file.js";
import { isInScope, type Manifest, type Scope } from "./manifest.js";

/** How the files on disk differ from what a run would write. */
export interface Drift {
  /** Files to write, and whether they are there already. */
  readonly write: readonly { readonly file: VirtualFile; readonly exists: boolean }[];
  /** Paths of earlier runs that this one does not make any more. */
  readonly remove: readonly string[];
  /** How many files are as they should be. */
  readonly unchanged: number;
}

/**
 * Compares what should exist with what does. The same comparison serves
 * `--check` and writing.
 *
 * @param expected the files of this run
 * @param read the text of a file on disk; nothing when it does not exist
 * @param manifest what earlier runs left behind
 * @param scope what this run is responsible for
 */
export function findDrift(
  expected: readonly VirtualFile[],
  read: (path: string) => string | undefined,
  manifest: Manifest | undefined,
  scope: Scope,
): Drift {
  const write = expected.flatMap((file) => {
    const text = read(file.path);
    return text === file.text ? [] : [{ file, exists: text !== undefined }];
  });
  const paths = new Set(expected.map(({ path }) => path));
  const remove = (manifest?.files ?? [])
    .filter(
      (entry) =>
        isInScope(entry, scope) && !paths.has(entry.path) && read(entry.path) !== undefined,
    )
    .map(({ path }) => path);
  return { write, remove, unchanged: expected.length - write.length };
}
