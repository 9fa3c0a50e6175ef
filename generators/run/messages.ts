import { relative, sep } from "node:path";
import { inspect } from "node:util";
import { InputError, nearest } from "../schema/problem.js";

/** Returns an error for wrong use of a command or function. Exit code 2. */
export function usageError(message: string, hint: string): InputError {
  return new InputError([{ message, hint }], "usage");
}

/** Longer lists do not help. */
const MAX_NAMES = 12;

/** Returns the error for an unknown name, with the nearest name and the list of known names. */
export function unknownName(what: string, name: string, known: Iterable<string>): InputError {
  const names = [...known];
  const near = nearest(name, names);
  const hints = [
    ...(near === undefined ? [] : [`Did you mean "${near}"?`]),
    ...(near === undefined || names.length <= MAX_NAMES
      ? [`Known: ${names.join(", ") || "none"}.`]
      : []),
  ];
  return usageError(`unknown ${what} "${name}"`, hints.join(" "));
}

/** Returns the error for a path that does not exist. */
export function noSuchFile(path: string): InputError {
  return usageError(`${path} does not exist`, "Check the path.");
}

/** Returns the message of a thrown value of any type. */
export function errorMessage(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return typeof thrown === "string" ? thrown : inspect(thrown);
}

/** Returns a path relative to the working directory, with `/`. */
export function displayPath(path: string): string {
  return withSlashes(relative(process.cwd(), path)) || ".";
}

/** Returns a path of this system with `/` as the separator. */
export function withSlashes(path: string): string {
  return path.split(sep).join("/");
}
