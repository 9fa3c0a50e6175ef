import type { Definition } from "../../../model/protocol.js";
import { jsonPointer, type Problem } from "../../../schema/problem.js";

/** Names that are valid file names on every system and identifiers; longer file names are cut. */
const NAME = /^[A-Za-z][A-Za-z0-9]{0,79}$/;

/**
 * Reports type names that cannot serve as page addresses: names with characters other than letters
 * and digits, and names that differ only in case. An address is the unchanged name, so it does not
 * depend on other types.
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
