import { UNLISTED } from "./part.js";
import { camelCased, distinctWords, pascalCase, wordsOf } from "./words.js";

/** Gives a name of its own to every part, and to alternatives and values that are no parts. */
export interface PartNames {
  /**
   * Returns the name of the part at a path, e.g. `SessionUpdateToolCall`.
   *
   * @param last the words of the path's last segment, where they depend on others
   * @param body the definition that the part consists of: its name being taken is no clash
   */
  readonly nameOf: (path: readonly string[], last?: readonly string[], body?: string) => string;
  /**
   * Returns the words of values or variants beside each other.
   *
   * @param names by the last segment of their paths
   */
  readonly wordsBelow: (
    path: readonly string[],
    names: ReadonlyMap<string, string>,
  ) => ReadonlyMap<string, readonly string[]>;
  /** Returns the words of the properties of the record at a path. */
  readonly propertyWords: (
    path: readonly string[],
    properties: readonly string[],
  ) => ReadonlyMap<string, readonly string[]>;
  /** The names that differ from what their paths say, since others would have them, by path. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Returns the path of a property, by which a name can be chosen for it: `Position#line_no`. */
export function propertyPath(record: readonly string[], property: string): string {
  return `${record.join("/")}#${property}`;
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
  const renamed = new Map<string, string>();
  const lengthened = new Set<string>();
  const isLonger = (words: readonly string[], name: string): boolean =>
    pascalCase(words) !== pascalCase(wordsOf(name));
  return {
    renamed,
    nameOf: (path, last = wordsOf(path.at(-1)!), body) => {
      const place = path.join("/");
      const own = published[place];
      if (own !== undefined) return own;
      const base = pascalCase([...path.slice(0, -1).flatMap(wordsOf), ...last]);
      const isTaken = taken.has(base) || base.endsWith(UNLISTED);
      let name = isTaken ? `${base}Variant` : base;
      for (let count = 2; taken.has(name); count++) name = `${base}Variant${count}`;
      taken.add(name);
      if (lengthened.has(place) || (taken.has(base) && name !== base && body !== base))
        renamed.set(place, name);
      return name;
    },
    wordsBelow: (path, names) => {
      const free = [...names].filter(([key]) => published[[...path, key].join("/")] === undefined);
      const words = distinctWords(free.map(([, name]) => name));
      for (const [key, name] of free)
        if (isLonger(words.get(name)!, name)) lengthened.add([...path, key].join("/"));
      return new Map(free.map(([key, name]) => [key, words.get(name)!]));
    },
    propertyWords: (path, properties) => {
      const pinOf = (name: string): string | undefined => published[propertyPath(path, name)];
      const words = distinctWords(properties, pinOf);
      for (const [name, own] of words)
        if (pinOf(name) === undefined && isLonger(own, name))
          renamed.set(propertyPath(path, name), camelCased(own));
      return words;
    },
  };
}
