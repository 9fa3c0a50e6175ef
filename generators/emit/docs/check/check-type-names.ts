import type { Definition } from "../../../model/protocol.js";
import { jsonPointer, type Problem } from "../../../schema/problem.js";

/** Names that are valid file names on every system and identifiers; longer file names are cut. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,79}$/;

/**
 * The address of a type's page is its name, unchanged, and stays the same when
 * other types come or go. Names that cannot be that are refused: other signs
 * than letters and digits, and two names that a file system without capitals
 * would take for one.
 */
export function typeNameProblems(definitions: readonly Definition[]): readonly Problem[] {
  const taken = new Map<string, string>();
  return definitions.flatMap(({ name, file }): Problem[] => {
    const where = { ...(file !== undefined && { file }), pointer: jsonPointer(["$defs", name]) };
    if (!NAME.test(name))
      return [
        {
          ...where,
          message: `${JSON.stringify(name)} cannot be the address of a page`,
          hint: "Name the type with at most 80 letters and digits, a letter first.",
        },
      ];
    const other = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), other ?? name);
    if (other === undefined) return [];
    return [
      {
        ...where,
        message: `the types "${other}" and "${name}" would have the same page where capitals do not count`,
        hint: "Rename one of them.",
      },
    ];
  });
}
