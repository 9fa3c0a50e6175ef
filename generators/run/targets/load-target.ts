import { resolve } from "node:path";
import type { Target } from "../../emit/emitter.js";
import { isObject } from "../../schema/json-schema/json.js";
import type { CustomTarget } from "../../emit/custom-target.js";
import { InputError } from "../../schema/problem.js";
import { checkEmitted } from "./check-emitted.js";
import { INPUT_NAMES } from "./load-inputs.js";
import { importDefault } from "./import-default.js";
import { requirePlainFile } from "../inputs/input-files.js";
import { errorMessage } from "../messages.js";

/**
 * Loads a custom target: a module whose default export is an emitter. The files
 * that it emits are checked.
 *
 * @param taken the built-in target of each path that an earlier run has generated
 * @throws InputError when the module cannot be loaded or its default export is not an emitter
 */
export async function loadTarget(
  path: string,
  taken: ReadonlyMap<string, string>,
): Promise<CustomTarget> {
  const found = await importTarget(requirePlainFile(path));
  const problem = whatIsMissing(found);
  if (problem === undefined) return checkEmitted(path, found as Target, taken);
  throw wrongTarget(
    path,
    problem,
    "Export an object with `name`, `summary` and `emit` as default.",
  );
}

async function importTarget(path: string): Promise<unknown> {
  try {
    return await importDefault(resolve(path));
  } catch (error) {
    throw wrongTarget(path, `cannot be loaded: ${errorMessage(error)}`, "Correct it.");
  }
}

function whatIsMissing(value: unknown): string | undefined {
  if (!isObject(value)) return "has no emitter as its default export";
  const { name, requires, inputs, emit, finish } = value as { readonly [key: string]: unknown };
  if (typeof name !== "string" || !/^[a-z][a-z0-9-]*$/.test(name)) {
    return "has no name of lower-case letters, digits and hyphens";
  }
  if (typeof emit !== "function") return "has no function `emit`";
  if (finish !== undefined) return "has a `finish`, whose files `emit` returns as well";
  if (requires !== undefined && !isNameList(requires)) {
    return "has a `requires` that is not a list of targets";
  }
  return inputs === undefined ||
    (isNameList(inputs) && inputs.every((one) => INPUT_NAMES.includes(one)))
    ? undefined
    : `has \`inputs\` that are not a list of ${INPUT_NAMES.join(", ")}`;
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

/** Returns the error for a module that cannot be used as a target. */
export function wrongTarget(file: string, message: string, hint: string): InputError {
  return new InputError([{ file, message, hint }], "usage");
}
