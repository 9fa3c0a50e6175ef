import {
  METHOD_NAMES_MODULE,
  printMethodNames,
} from "../../emit/typescript/package/method-names.js";
import {
  printStateChanges,
  STATE_CHANGES_MODULE,
} from "../../emit/typescript/package/state-changes.js";
import { loadSources } from "../../schema/source/load-sources.js";
import type { Sources } from "../../schema/source/sources.js";
import { readTemplates, SCHEMA } from "../installation.js";

/**
 * Reads the templates, and fills in what the conformance rules know of the schema: its methods, and
 * what its updates change.
 *
 * @param sources the schema; the canonical one when absent
 */
export function loadTemplates(sources: Sources = loadSources(SCHEMA)): ReadonlyMap<string, string> {
  return new Map([
    ...readTemplates(),
    [METHOD_NAMES_MODULE, printMethodNames(sources)],
    [STATE_CHANGES_MODULE, printStateChanges(sources)],
  ]);
}
