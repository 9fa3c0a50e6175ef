import { LANGUAGES, SOURCE_FOLDERS } from "./languages.js";
import type { VirtualFile } from "./file.js";

/**
 * The location of generated sources below the output folder: `package` is a package for each
 * language, such as the npm package in `typescript/`; `flat` has the sources only, for a folder
 * inside the user's own sources.
 */
export type Layout = "package" | "flat";

export const LAYOUTS: readonly Layout[] = ["package", "flat"];

/** The extension in imports of generated TypeScript: `ts` where the sources run without a build. */
export type ImportExtension = "js" | "ts";

export const IMPORT_EXTENSIONS: readonly ImportExtension[] = ["js", "ts"];

/** The imports of generated modules, which end their lines. */
const IMPORTS = /^((?:(?:import|export) .*|\}) from "\.{1,2}\/[^"\n]+)\.js(?=";$)/gm;

const SOURCES = "typescript/src/";

/** What stands before the sources of each language besides TypeScript, in a package. */
const OTHERS = LANGUAGES.map((language) => {
  const folder = SOURCE_FOLDERS[language] === "module" ? "\\w+/" : "(?=\\w+/)";
  return `(?<=^${language}/)${folder}`;
});

/** What stands before the sources of each package. */
const ALL_SOURCES = new RegExp(`^([a-z]+/)(?:src/|${OTHERS.join("|")})`);

/**
 * Returns the files of a run at their paths in the layout.
 *
 * @param importExtension of the flat layout
 */
export function placeFiles(
  files: readonly VirtualFile[],
  layout: Layout,
  importExtension: ImportExtension,
): readonly VirtualFile[] {
  if (layout === "package") return files;
  const packages = new Set(files.flatMap(({ path }) => ALL_SOURCES.exec(path)?.[1] ?? []));
  return files
    .filter(({ path }) => {
      const folder = path.slice(0, path.indexOf("/") + 1);
      return ALL_SOURCES.test(path) || !packages.has(folder);
    })
    .map((file) => ({
      ...file,
      path: layoutPath(file.path, layout),
      text: file.path.endsWith(".ts")
        ? file.text.replace(IMPORTS, `$1.${importExtension}`)
        : file.text,
    }));
}

/** Returns the path that emitters give to a file, from its path in the layout. */
export function emittedPath(path: string, layout: Layout): string {
  return layout === "flat" && path.endsWith(".ts") ? SOURCES + path : path;
}

/** Returns the path of a file in the layout, from the path that emitters give to it. */
export function layoutPath(path: string, layout: Layout): string {
  return layout === "flat" ? path.replace(ALL_SOURCES, "") : path;
}
