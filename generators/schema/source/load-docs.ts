import { dirname, join, resolve } from "node:path";
import type { DocsSource } from "./docs-source.js";
import type { JsonObject } from "../json-schema/json.js";
import { createLoader, jsonFiles, loadDialect } from "./load.js";

/**
 * Loads the documentation texts in `schema/docs/`; the sections of several files are merged.
 *
 * @param directory the `schema/` folder
 * @throws InputError with every problem found: a document that does not follow the dialect, a
 *   method that is in two files
 */
export function loadDocs(directory: string): DocsSource {
  const loader = createLoader(dirname(resolve(directory)), loadDialect(directory));
  const files = jsonFiles(join(directory, "docs"));
  const documents = files.map((file) => loader.read("docs", file) ?? {});
  const merged = (section: string): JsonObject => {
    const all: { [key: string]: JsonObject[string] } = {};
    documents.forEach((document, index) => {
      for (const [key, value] of Object.entries((document[section] ?? {}) as JsonObject)) {
        if (Object.hasOwn(all, key)) {
          const message = `"${key}" has an entry in ${section} of another file`;
          loader.problem(files[index]!, message, "Put the two together.");
        }
        all[key] = value;
      }
    });
    return all;
  };
  const listed = (section: string): readonly unknown[] =>
    documents.flatMap((document) => (document[section] ?? []) as readonly unknown[]);
  const docs = {
    drafts: merged("drafts"),
    errors: merged("errors"),
    after: merged("after"),
    flows: listed("flows"),
    lifecycle: listed("lifecycle"),
    conventions: listed("conventions"),
    betweenVersions: listed("betweenVersions"),
    formerNames: listed("formerNames"),
    alike: listed("alike"),
    asked: merged("asked"),
    moved: listed("moved"),
  };
  loader.finish();
  return docs as unknown as DocsSource;
}
