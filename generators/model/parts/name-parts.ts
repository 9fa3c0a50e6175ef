import { pascalCase, wordsOf } from "./words.js";

/** Gives every part a name of its own. */
export interface PartNames {
  /** Returns the name of the part at a path, e.g. `SessionUpdateToolCall`. */
  readonly nameOf: (path: readonly string[]) => string;
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
    nameOf: (path) => {
      const own = published[path.join("/")];
      if (own !== undefined) return own;
      const base = pascalCase(path.flatMap(wordsOf));
      let name = taken.has(base) ? `${base}Variant` : base;
      for (let count = 2; taken.has(name); count++) name = `${base}Variant${count}`;
      taken.add(name);
      return name;
    },
  };
}
