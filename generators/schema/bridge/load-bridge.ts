import { dirname, join, resolve } from "node:path";
import type { Json, JsonObject } from "../json-schema/json.js";
import type { Memo } from "../memo.js";
import { jsonPointer } from "../problem.js";
import { createLoader, jsonFiles, loadDialect, type Loader } from "../source/load.js";
import type { BridgeSource, Placed } from "./bridge-source.js";

/**
 * Reads how the versions correspond: every file of `schema/bridge/`.
 *
 * @param directory the `schema/` folder
 * @returns undefined when there is no such file
 * @throws InputError with every problem found: a document that does not follow the dialect, an
 *   entry that two files have
 */
export function loadBridge(directory: string, memo?: Memo): BridgeSource | undefined {
  const files = jsonFiles(join(directory, "bridge"));
  if (files.length === 0) return undefined;
  const loader = createLoader(dirname(resolve(directory)), loadDialect(directory, memo));
  const documents = files.map((file) => [file, loader.read("bridge", file) ?? {}] as const);
  const source = {
    definitions: merge("definitions", documents, loader),
    methods: merge("methods", documents, loader),
    states: merge("states", documents, loader),
  };
  loader.finish();
  return source as unknown as BridgeSource;
}

/** Collects the entries of one section from all documents. */
function merge(
  section: string,
  documents: readonly (readonly [string, JsonObject])[],
  loader: Loader,
): Map<string, Placed<Json>> {
  const all = new Map<string, Placed<Json>>();
  for (const [file, document] of documents)
    for (const [name, entry] of Object.entries((document[section] ?? {}) as JsonObject)) {
      const other = all.get(name);
      if (other !== undefined) {
        const message = `"${name}" has an entry in ${other.file} as well`;
        loader.problem(file, message, "Put the two together.", jsonPointer([section, name]));
      }
      all.set(name, { file: loader.display(file), entry });
    }
  return all;
}
