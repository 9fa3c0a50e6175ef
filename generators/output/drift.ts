import type { VirtualFile } from "./file.js";
import { hasHeader } from "./header.js";
import { withLf } from "./text.js";
import { layoutPath } from "./layout.js";
import { isInScope, type Manifest, type ManifestEntry, type OutputScope } from "./manifest.js";

/** The differences between the files on disk and those that a run would write. */
export interface Drift {
  /** Files to write, and whether they are there already. */
  readonly write: readonly { readonly file: VirtualFile; readonly exists: boolean }[];
  /** Paths of earlier runs that this one does not make any more. */
  readonly remove: readonly string[];
  /** Files that the manifest lists, but that no run seems to have generated. */
  readonly left: readonly Left[];
  /** The number of files that are up to date. */
  readonly unchanged: number;
}

/** A file that stays although the manifest lists it. */
export interface Left {
  readonly path: string;
  readonly reason: string;
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
  scope: OutputScope,
): Drift {
  const write = expected.flatMap((file) => {
    const text = read(file.path);
    return text !== undefined && withLf(text) === withLf(file.text)
      ? []
      : [{ file, exists: text !== undefined }];
  });
  const paths = new Set(expected.map(({ path }) => path));
  const left: Left[] = [];
  const remove = (manifest?.files ?? []).flatMap((entry) => {
    const { path } = entry;
    if (!isInScope(entry, scope) || paths.has(path)) return [];
    const text = read(path);
    const reason = text === undefined ? undefined : whyLeft(entry, text, expected);
    if (reason !== undefined) left.push({ path, reason });
    return text === undefined || reason !== undefined ? [] : [path];
  });
  return { write, remove, left, unchanged: expected.length - write.length };
}

/**
 * Returns why a file may be one of the user's; undefined for one that a run has certainly
 * generated. The manifest does not prove it, since it is part of the repository and may list any file.
 */
function whyLeft(
  entry: ManifestEntry,
  text: string,
  expected: readonly VirtualFile[],
): string | undefined {
  const form = formOf(entry);
  const isBeside = (file: VirtualFile): boolean =>
    topOf(formOf(file)) === topOf(form) || topOf(file.path) === topOf(entry.path);
  if (!expected.some(isBeside)) return "is not in a folder that this run writes to";
  const isNamedLikeOne = expected.some(
    (file) => file.target === entry.target && formOf(file) === form && !hasHeader(file.text),
  );
  return hasHeader(text) || isNamedLikeOne ? undefined : "has no header of a generated file";
}

/** Returns a path without its profile and layout: it is equal for the same file of each. */
function formOf({ path, profile }: Pick<ManifestEntry, "path" | "profile">): string {
  const isName = (part: string): boolean => part === profile || part.startsWith(`${profile}.`);
  return layoutPath(path, "flat")
    .split("/")
    .map((part) => (isName(part) ? `*${part.slice(profile.length)}` : part))
    .join("/");
}

function topOf(path: string): string {
  return path.slice(0, path.indexOf("/") + 1);
}
