import {
  METHOD_NAMES_MODULE,
  printMethodNames,
} from "../../emit/typescript/package/method-names.js";
import { loadSources } from "../../schema/source/load-sources.js";
import type { Sources } from "../../schema/source/sources.js";
import { readTemplates, SCHEMA } from "../installation.js";

/**
 * Reads the templates, and fills in the methods of the schema, which the conformance rules know.
 *
 * @param sources the schema; the canonical one when absent
 */
export function loadTemplates(sources: Sources = loadSources(SCHEMA)): ReadonlyMap<string, string> {
  const methods = printMethodNames(sources);
  return new Map([...readTemplates(), [METHOD_NAMES_MODULE, methods]]);
}
