import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { GenerateOptions } from "../generate/generate.js";
import { isTargetPath } from "../targets/load-target.js";

/** The files that an output is made from, besides those that come with the tool. */
export function inputPaths(options: GenerateOptions): string[] {
  const { schemaFile, metaFile, with: added = [], schema, targets = [] } = options;
  return [
    ...added.filter((item) => item.endsWith(".json")),
    ...targets.filter(isTargetPath),
    ...[schemaFile, metaFile, schema].filter((path) => path !== undefined),
  ];
}

/** The user's own files, those of a folder one by one. */
export function inputFiles(options: GenerateOptions): string[] {
  return inputPaths(options).flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [resolve(path)];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".json")).map((name) => resolve(path, name));
  });
}

/** Differs when a file has been written, replaced or removed. */
export function stampOf(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return [file, stats?.ino, stats?.size, stats?.mtimeMs].join(" ");
}
