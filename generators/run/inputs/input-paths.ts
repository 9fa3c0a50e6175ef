import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { GenerateOptions } from "../options.js";
import { includedFiles, isPath } from "./input-files.js";
import { listTextPaths } from "./package-options.js";
import { otherFiles } from "./read-documents.js";

/** Returns the input paths of an output, except for those that come with the tool. */
export function inputPaths(options: GenerateOptions): string[] {
  const { schema, meta, with: added = [], schemaDirectory, targets = [], site = {} } = options;
  const texts = listTextPaths(options);
  const features = added.filter(isPath);
  return [
    ...features,
    ...features.flatMap(includedFiles),
    ...targets.filter(isPath),
    ...otherFiles(options),
    ...[schema, meta, schemaDirectory, site.logo, site.pages, ...texts].filter(
      (path) => path !== undefined,
    ),
  ];
}

/** Returns the files at `inputPaths`; those of a folder one by one. */
export function inputFiles(options: GenerateOptions): string[] {
  return inputPaths(options).flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [resolve(path)];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    return names.filter((name) => /\.(json|md)$/.test(name)).map((name) => resolve(path, name));
  });
}

/** Returns a text that changes when a file is written, replaced or removed. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return [file, stats?.ino, stats?.size, stats?.mtimeMs].join(" ");
}
