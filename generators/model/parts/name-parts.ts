import { UNLISTED } from "./part.js";
import { pascalCase, wordsOf } from "./words.js";

/** Gives a name of its own to every part, and to alternatives and values that are no parts. */
export interface PartNames {
  /**
   * Returns the name of the part at a path, e.g. `SessionUpdateToolCall`.
   *
   * @param last the words of the path's last segment, where they depend on others
   */
  readonly nameOf: (path: readonly string[], last?: readonly string[]) => string;
}

/**
 * Prepares the naming of parts: the published name of the path, or its words, followed by `Variant`
 * where a definition already has that name, and by a number where another part has it.
 *
 * @param definitions the names of all definitions, which are taken
 * @param published the names that cannot change, by path; they are taken as well
 */
export function createPartNames(
  definitions: Iterable<string>,
  published: { readonly [path: string]: string } = {},
): PartNames {
  const taken = new Set([...definitions, ...Object.values(published)]);
  return {
    nameOf: (path, last = wordsOf(path.at(-1)!)) => {
      const own = published[path.join("/")];
      if (own !== undefined) return own;
      const base = pascalCase([...path.slice(0, -1).flatMap(wordsOf), ...last]);
      const isTaken = taken.has(base) || base.endsWith(UNLISTED);
      let name = isTaken ? `${base}Variant` : base;
      for (let count = 2; taken.has(name); count++) name = `${base}Variant${count}`;
      taken.add(name);
      return name;
    },
  };
}
