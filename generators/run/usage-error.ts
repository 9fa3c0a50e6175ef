import { InputError, nearest } from "../schema/problem.js";

/** The command was called wrongly: what is wrong, and what to do. Exit code 2. */
export function usageError(message: string, hint: string): InputError {
  return new InputError([{ message, hint }], "usage");
}

/** A name that does not exist, with the nearest one that does. */
export function unknownName(what: string, name: string, known: Iterable<string>): InputError {
  const names = [...known];
  const near = nearest(name, names);
  const hint = near ? `Did you mean "${near}"?` : `There are: ${names.join(", ") || "none"}.`;
  return usageError(`there is no ${what} "${name}"`, hint);
}
