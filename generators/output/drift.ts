import type { VirtualFile } from "./file.js";
import { isInScope, type Manifest, type Scope } from "./manifest.js";

/** The differences between the files on disk and those that a run would write. */
export interface Drift {
  /** Files to write, and whether they are there already. */
  readonly write: readonly { readonly file: VirtualFile; readonly exists: boolean }[];
  /** Paths of earlier runs that this one does not make any more. */
  readonly remove: readonly string[];
  /** The number of files that are up to date. */
  readonly unchanged: number;
}

/**
 * Compares what should exist with what does. The same comparison serves
 * `--check` and writing.
 *
 * @param expected the files of this run
 * @param read returns the text of a file on disk; `undefined` when it does not exist
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
