import type { Definition, Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { Site } from "../site-types.js";

/** The names that the validator suggests in place of unknown ones. */
export interface NameIndex {
  /** The methods of the profile. */
  readonly methods: readonly string[];
  /** Methods that the profile lacks, each with the first other profile that has it. */
  readonly others: Titles;
  /** Properties, as `Type.property`. */
  readonly fields: Titles;
  /** Tags and values of enumerations, as `property=value`. */
  readonly values: Titles;
}

type Titles = { readonly [name: string]: string };

/** Returns the names of a profile's methods, and what only other profiles of the run have. */
export function nameIndex({ protocol, siblings }: Site): NameIndex {
  const others = [...siblings.values()]
    .map((site) => site.protocol)
    .filter(({ profile }) => profile !== protocol.profile)
    // A later selection of the same version is the likelier one.
    .sort((one, other) => distance(one, protocol) - distance(other, protocol));
  const ofOthers = (namesOf: (protocol: Protocol) => readonly string[]): Titles => {
    const own = new Set(namesOf(protocol));
    const titles = new Map<string, string>();
    for (const other of others)
      for (const name of namesOf(other))
        if (!own.has(name) && !titles.has(name)) titles.set(name, other.title);
    return Object.fromEntries(titles);
  };
  return {
    methods: methodNames(protocol),
    others: ofOthers(methodNames),
    fields: ofOthers(fieldNames),
    values: ofOthers(valueNames),
  };
}

function distance(one: Protocol, other: Protocol): number {
  return Math.abs(one.versionNumber - other.versionNumber);
}

function methodNames({ methods }: Protocol): readonly string[] {
  return [...new Set(methods.map(({ name }) => name))];
}

function fieldNames({ definitions }: Protocol): readonly string[] {
  return definitions.flatMap(({ name, shape }) => {
    const names: string[] = [];
    visitShape(shape, { field: (field) => names.push(`${name}.${field.name}`) });
    return names;
  });
}

function valueNames({ definitions }: Protocol): readonly string[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  return definitions.flatMap(({ shape }) => {
    const names: string[] = [];
    visitShape(shape, {
      field: (field) => {
        for (const value of enumValues(field.shape, byName)) names.push(`${field.name}=${value}`);
      },
      variant: (_, steps, tag) => {
        if (tag !== undefined) names.push(`${tag}=${steps.at(-1)!.name}`);
      },
    });
    return names;
  });
}

function enumValues(
  shape: Definition["shape"],
  definitions: ReadonlyMap<string, Definition>,
): readonly string[] {
  const named = shape.kind === "reference" ? definitions.get(shape.name)!.shape : shape;
  return named.kind === "enum" ? named.values.map(({ value }) => String(value)) : [];
}
