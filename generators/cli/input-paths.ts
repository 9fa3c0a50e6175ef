import type { GenerateOptions } from "./generate.js";
import { isTargetPath } from "./load-target.js";

/** The files that an output is made from, besides those that come with the tool. */
export function inputPaths(options: GenerateOptions): string[] {
  const { schemaFile, metaFile, with: added = [], schema, targets = [] } = options;
  return [
    ...added.filter((item) => item.endsWith(".json")),
    ...targets.filter(isTargetPath),
    ...[schemaFile, metaFile, schema].filter((path) => path !== undefined),
  ];
}
