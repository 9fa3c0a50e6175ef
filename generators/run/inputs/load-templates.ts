import { METHOD_NAMES_MODULE, printMethodNames } from "../../emit/package/method-names.js";
import { loadSources } from "../../schema/source/load-sources.js";
import { readTemplates } from "../installation.js";

/**
 * Reads the templates, and fills in the methods of the schema, which the conformance rules know.
 *
 * @param directory the folder of the schema
 * @throws InputError for an error in the schema
 */
export function loadTemplates(directory: string): ReadonlyMap<string, string> {
  const methods = printMethodNames(loadSources(directory));
  return new Map([...readTemplates(), [METHOD_NAMES_MODULE, methods]]);
}
