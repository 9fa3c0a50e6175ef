import { identifier, joinPython, py, type Python } from "../code.js";

/** Returns the names that a text uses. */
export function usedOf(names: readonly Python[], text: string): readonly Python[] {
  const words = new Set(text.match(/\w+/g));
  return names.filter((name) => words.has(name));
}

/** Prints the import of names from a module of the same package, if there are any. */
export function importFrom(module: string, names: readonly Python[]): Python {
  if (names.length === 0) return py``;
  const sorted = [...names].sort();
  return py`from .${identifier(module)} import ${joinPython(sorted, ", ")}\n`;
}
