import type { Check } from "./check.js";
import type { TrackedValue } from "./diagnosis.js";
import { Walk } from "./walk.js";

/** Renamed properties: names outside the wire, by their name on the wire. */
export type Renames = { readonly [wireName: string]: string };

/**
 * A type with its declared properties renamed at any depth. The keys of maps and the contents of
 * properties of any type keep their names.
 */
export type Renamed<T, R extends Renames> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Renamed<Item, R>[]
    : T extends object
      ? {
          [K in keyof T as K extends keyof R ? R[K] : K]: string extends K
            ? T[K]
            : Renamed<T[K], R>;
        }
      : T;

/**
 * Renames the declared properties of a value at any depth. Unknown properties and the contents of
 * maps and of properties of any type keep their names. An unknown property that already has the
 * new name of a declared one is given the old name in exchange, so that no value is lost and the
 * renaming is reversible.
 *
 * @param check the check of the definition, which determines the declared properties
 * @param to `outside` renames from wire names, `wire` back to them
 * @returns a new value; the input is not modified
 */
export function rename(
  check: Check,
  renames: Renames,
  value: unknown,
  to: "outside" | "wire",
): unknown {
  const renaming = new Renaming(renames, to);
  renaming.run(check, value);
  return renaming.build(value);
}

class Renaming extends Walk {
  override readonly readsAll = true;
  readonly #renames: Renames;
  readonly #to: "outside" | "wire";
  /** The new names of properties, by the object that declares them. */
  readonly #names = new Map<object, Map<string, string>>();

  constructor(renames: Renames, to: "outside" | "wire") {
    super("keep", 0);
    this.#renames = renames;
    this.#to = to;
  }

  override readDeclared(holder: TrackedValue, wireName: string): unknown {
    let names = this.#names.get(holder.source);
    if (names === undefined) this.#names.set(holder.source, (names = new Map()));
    if (!Object.hasOwn(this.#renames, wireName)) return super.read(holder, wireName);
    const other = this.#renames[wireName]!;
    names.set(wireName, other).set(other, wireName);
    return super.read(holder, this.#to === "wire" ? other : wireName);
  }

  /** Skips the entries of maps, whose keys and values are data. */
  override read(holder: TrackedValue, key: string): unknown {
    const isEntry = !Array.isArray(holder.source) && holder.parent !== undefined;
    return isEntry ? undefined : super.read(holder, key);
  }

  build(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item: unknown) => this.build(item));
    const names = typeof value === "object" && value !== null && this.#names.get(value);
    if (!names) return value;
    const entries = Object.entries(value).map(([key, part]): [string, unknown] => [
      names.get(key) ?? key,
      this.build(part),
    ]);
    return Object.fromEntries(entries);
  }
}
