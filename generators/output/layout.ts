import type { VirtualFile } from "./file.js";

/**
 * The location of generated TypeScript below the output folder: `package` is an npm
 * package in `typescript/`; `flat` has its sources only, for a folder inside the
 * user's own sources.
 */
export type Layout = "package" | "flat";

export const LAYOUTS: readonly Layout[] = ["package", "flat"];

const PACKAGE = "typescript/";
const SOURCES = "typescript/src/";

/** Returns the files of a run at their paths in the layout. */
export function placeFiles(files: readonly VirtualFile[], layout: Layout): readonly VirtualFile[] {
  if (layout === "package") return files;
  return files
    .filter(({ path }) => path.startsWith(SOURCES) || !path.startsWith(PACKAGE))
    .map((file) => ({ ...file, path: layoutPath(file.path, layout) }));
}

/** Returns the path that emitters give to a file, from its path in the layout. */
export function emittedPath(path: string, layout: Layout): string {
  return layout === "flat" && path.endsWith(".ts") ? SOURCES + path : path;
}

/** Returns the path of a file in the layout, from the path that emitters give to it. */
export function layoutPath(path: string, layout: Layout): string {
  return layout === "flat" ? path.replace(SOURCES, "") : path;
}
