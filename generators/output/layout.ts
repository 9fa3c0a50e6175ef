import type { VirtualFile } from "./file.js";

/**
 * The location of generated sources below the output folder: `package` is a package for each
 * language, such as the npm package in `typescript/`; `flat` has the sources only, for a folder
 * inside the user's own sources.
 */
export type Layout = "package" | "flat";

export const LAYOUTS: readonly Layout[] = ["package", "flat"];

/** A language, by the folder of its package, the folder of its sources, and the names of these. */
interface Language {
  readonly folder: string;
  readonly sources: string;
  readonly isSource: (path: string) => boolean;
}

const LANGUAGES: readonly Language[] = [
  {
    folder: "typescript/",
    sources: "typescript/src/",
    isSource: (path) => path.endsWith(".ts"),
  },
  {
    folder: "python/",
    sources: "python/acp_bindings/",
    isSource: (path) => path.endsWith(".py") || path === "py.typed",
  },
];

/** Returns the files of a run at their paths in the layout. */
export function placeFiles(files: readonly VirtualFile[], layout: Layout): readonly VirtualFile[] {
  if (layout === "package") return files;
  return files
    .filter(({ path }) => {
      const language = LANGUAGES.find(({ folder }) => path.startsWith(folder));
      return language === undefined || path.startsWith(language.sources);
    })
    .map((file) => ({ ...file, path: layoutPath(file.path, layout) }));
}

/** Returns the path that emitters give to a file, from its path in the layout. */
export function emittedPath(path: string, layout: Layout): string {
  if (layout === "package") return path;
  return (LANGUAGES.find(({ isSource }) => isSource(path))?.sources ?? "") + path;
}

/** Returns the path of a file in the layout, from the path that emitters give to it. */
export function layoutPath(path: string, layout: Layout): string {
  if (layout === "package") return path;
  const language = LANGUAGES.find(({ sources }) => path.startsWith(sources));
  return language === undefined ? path : path.slice(language.sources.length);
}
