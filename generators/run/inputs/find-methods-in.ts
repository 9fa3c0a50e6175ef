import {
  findMethods,
  type FoundMethods,
  type MethodDecisions,
} from "../../schema/import/find-methods.js";
import type { JsonSchema } from "../../schema/json-schema/json.js";
import { didYouMean, InputError, jsonPointer, type Problem } from "../../schema/problem.js";
import { loadDialect, readJson } from "../../schema/source/load.js";
import { displayPath, usageError } from "../messages.js";
import { requireFile } from "./input-files.js";

/**
 * Finds the methods of a schema that does not mark them, and makes definitions of params.
 *
 * @param mapping the path of the file that decides what the schema does not say
 */
export function findMethodsIn(
  schema: JsonSchema,
  file: string,
  mapping: string | undefined,
  directory: string,
): { readonly sound: JsonSchema; readonly found?: FoundMethods } {
  const isMarked = Object.values(schema.$defs ?? {}).some((one) => one["x-method"] !== undefined);
  if (isMarked) {
    if (mapping === undefined) return { sound: schema };
    throw usageError(
      `${file} marks its methods itself, so that --methods has no effect`,
      "Remove it.",
    );
  }
  const decisions = mapping === undefined ? {} : loadDecisions(mapping, schema, directory);
  const found = findMethods(schema, decisions);
  return found.named.length === 0 ? { sound: schema } : { sound: found.document, found };
}

/**
 * Loads a mapping file.
 *
 * @throws InputError for names that the schema does not have, and results of notifications
 */
function loadDecisions(path: string, schema: JsonSchema, directory: string): MethodDecisions {
  const file = displayPath(requireFile(path));
  const document = readJson(path, file);
  const problems: Problem[] = loadDialect(directory)("methods", document, file);
  if (problems.length > 0) throw new InputError(problems);
  const { $schema: _, ...decisions } = document as MethodDecisions;
  const { named } = findMethods(schema);
  const methods = new Set(named.map(({ name }) => name));
  const definitions = Object.keys(schema.$defs ?? {});
  for (const [method, decision] of Object.entries(decisions)) {
    const refuse = (pointer: readonly string[], message: string, hint: string): void => {
      problems.push({ file, pointer: jsonPointer([method, ...pointer]), message, hint });
    };
    if (!methods.has(method)) {
      const others = methods.size === 0 ? "It has none." : `It has ${[...methods].join(", ")}.`;
      refuse([], `the schema has no method "${method}"`, didYouMean(method, methods, others));
      continue;
    }
    for (const part of ["params", "result"] as const) {
      const name = decision[part];
      if (name === undefined || definitions.includes(name)) continue;
      const hint = didYouMean(name, definitions, "Name a definition of the schema.");
      refuse([part], `the schema has no definition "${name}"`, hint);
    }
    const isRequest = named.some(({ name, kind }) => name === method && kind === "request");
    if (decision.result !== undefined && !isRequest)
      refuse(["result"], `"${method}" is a notification, which has no result`, "Remove it.");
  }
  if (problems.length > 0) throw new InputError(problems);
  return decisions;
}
