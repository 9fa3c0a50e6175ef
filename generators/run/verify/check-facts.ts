import type { Manifest } from "../../output/manifest.js";
import { isObject } from "../../schema/json-schema/json.js";
import { InputError, jsonPointer } from "../../schema/problem.js";
import type { RecordedOptions } from "../defaults.js";
import type { GenerateOptions } from "../options.js";

/** What the manifest says a profile was generated from. */
export interface Facts extends RecordedOptions, Pick<GenerateOptions, "package"> {
  /** The metadata of packages of other languages than TypeScript. */
  readonly languages?: { readonly [language: string]: object };
  readonly protocol: string;
  readonly origin?: "import" | "selection";
  readonly features: readonly string[];
  /** The texts of the user's own that packages have. */
  readonly texts?: readonly string[];
}

const isText = (value: unknown): boolean => typeof value === "string";
const isOneOf =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

/** The facts that are read, and what they must be. */
const CHECKS: readonly (readonly [keyof Facts, (value: unknown) => boolean, string])[] = [
  ["protocol", isText, "a string"],
  ["origin", isOneOf(undefined, "import", "selection"), '"import" or "selection"'],
  // Names only: a path would make the run load a file of the repository.
  ["features", (value) => isList(value, isName), "a list of features by name"],
  ["layout", isOneOf(undefined, "flat", "package"), '"flat" or "package"'],
  ["importExtension", isOneOf(undefined, "ts"), '"ts"'],
  ["package", isMetadata, "an object of strings"],
  [
    "languages",
    (value) => value === undefined || (isObject(value) && Object.values(value).every(isMetadata)),
    "an object of objects of strings",
  ],
  ["texts", (value) => value === undefined || isList(value, isText), "a list of strings"],
  ["header", (value) => value === undefined || isList(value, isText), "a list of strings"],
];

/**
 * Returns what the manifest says about its profiles, which anybody may have edited.
 *
 * @param file the manifest, as the user would name it
 * @throws InputError naming what is wrong
 */
export function checkFacts(
  { profiles, files }: Manifest,
  file: string,
): ReadonlyMap<string, Facts> {
  const refuse = (tokens: readonly (string | number)[], message: string): never => {
    const hint = "Generate the output again.";
    throw new InputError([{ file, pointer: jsonPointer(tokens), message, hint }]);
  };
  for (const [name, facts] of Object.entries(profiles)) {
    if (!isObject(facts)) return refuse(["profiles", name], "is not an object");
    for (const [key, isValid, expected] of CHECKS)
      if (!isValid(facts[key])) refuse(["profiles", name, key], `is not ${expected}`);
  }
  for (const [index, { profile }] of files.entries()) {
    const unknown = profile.split("+").find((name) => !Object.hasOwn(profiles, name));
    if (profile !== "*" && unknown !== undefined)
      refuse(["files", index, "profile"], `"${unknown}" is not a profile of this manifest`);
  }
  return new Map(Object.entries(profiles) as unknown as [string, Facts][]);
}

/** Returns whether a value is an object of strings, and of lists of them. */
function isMetadata(value: unknown): boolean {
  const isFact = (fact: unknown): boolean => isText(fact) || isList(fact, isText);
  return value === undefined || (isObject(value) && Object.values(value).every(isFact));
}

function isList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && /^\w+$/.test(value);
}
