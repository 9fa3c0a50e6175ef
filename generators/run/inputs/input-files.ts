import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLf } from "../../output/text.js";
import { isObject } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { displayPath, noSuchFile } from "../messages.js";

/**
 * Returns whether an item of `with` or `targets` is the path of a file. Names of
 * features and targets have neither dots nor separators.
 */
export function isPath(item: string): boolean {
  return /[./\\]/.test(item);
}

/**
 * Returns the path of a file that the user has named.
 *
 * @throws InputError when the path does not exist
 */
export function requireFile(path: string): string {
  if (existsSync(path)) return path;
  throw noSuchFile(path);
}

/**
 * Returns the path of a document that the user has named; it may be a pipe.
 *
 * @throws InputError when the path does not exist, or is a folder
 */
export function requireDocument(path: string): string {
  if (!statSync(requireFile(path)).isDirectory()) return path;
  throw new InputError(
    [{ file: displayPath(path), message: "is a folder", hint: "Name a file." }],
    "usage",
  );
}

/**
 * Returns the path of a module or a configuration that the user has named.
 *
 * @throws InputError when the path does not exist, or is a folder, a pipe or a device
 */
export function requirePlainFile(path: string): string {
  if (isPlainFile(requireFile(path))) return path;
  const hint = "Name a file that can be loaded.";
  throw new InputError([{ file: displayPath(path), message: "is not a file", hint }], "usage");
}

/** Returns the text of a file, without what a checkout or an editor may have added: CR line ends and a byte order mark. */
export function readText(file: string): string {
  return cleanText(readFileSync(file, "utf8"));
}

/** Removes CR line ends and a byte order mark. */
export function cleanText(text: string): string {
  return withLf(text.replace(/^\ufeff/, ""));
}

/** Returns whether a path can be read more than once: the contents of a pipe come once. */
export function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Returns the modules that a feature file includes; none when it cannot be read. */
export function includedFiles(feature: string): string[] {
  if (!isPlainFile(feature)) return [];
  try {
    const document: unknown = JSON.parse(readText(feature));
    const included = isObject(document) ? document["include"] : undefined;
    if (!Array.isArray(included)) return [];
    const paths = included.filter((path) => typeof path === "string");
    return paths.map((path) => join(dirname(feature), path));
  } catch {
    return [];
  }
}
