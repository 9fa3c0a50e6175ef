import type { Definition, Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { Site } from "../model/site.js";

/** The names that the validator suggests in place of unknown ones. */
export interface NameIndex {
  readonly methods: readonly string[];
  /** Methods that the profile lacks, below the first other profile that has them. */
  readonly others: ByProfile;
  /** Methods of earlier drafts, each with a sentence about the method of today. */
  readonly former: { readonly [name: string]: string };
  /** Protocol versions of other profiles, each with the title and the folder of the most similar profile. */
  readonly versions: { readonly [version: number]: readonly [title: string, profile: string] };
  /** Properties, as `Type.property`. */
  readonly fields: ByProfile;
  /** Tags and values of enumerations, as `property=value`. */
  readonly values: ByProfile;
}

/** Names that the profile lacks, by the titles of others. */
type ByProfile = { readonly [title: string]: readonly string[] };

/** Returns the names of a profile's methods, and what only other profiles of the run have. */
export function nameIndex({ protocol, siblings, docs, methodPaths }: Site): NameIndex {
  const others = [...siblings.values()]
    .map((site) => site.protocol)
    .filter(({ profile }) => profile !== protocol.profile)
    // A later selection of the same version is the likelier one.
    .sort((one, other) => distance(one, protocol) - distance(other, protocol));
  const ofOthers = (namesOf: (protocol: Protocol) => readonly string[]): ByProfile => {
    const known = new Set(namesOf(protocol));
    const lists = others.map((other) => {
      const added = [...new Set(namesOf(other))].filter((name) => !known.has(name));
      for (const name of added) known.add(name);
      return [other.title, added] as const;
    });
    return Object.fromEntries(lists.filter(([, added]) => added.length > 0));
  };
  // Types and properties that the profile lacks are never looked up.
  const types = new Set(protocol.definitions.map(({ name }) => name));
  const listing = new Set(valueNames(protocol).map((name) => name.split("=")[0]!));
  return {
    methods: methodNames(protocol),
    others: ofOthers(methodNames),
    former: Object.fromEntries(
      docs.formerNames
        .filter(({ to }) => methodPaths.has(to))
        .map(({ name, to, text }) => [name, `Use ${to}. ${text.replaceAll("`", "")}`]),
    ),
    versions: Object.fromEntries(
      [...others]
        .sort(byFeatures(protocol))
        .map((one) => [one.versionNumber, [one.title, one.profile]]),
    ),
    fields: ofOthers((other) => fieldNames(other).filter((name) => types.has(name.split(".")[0]!))),
    values: ofOthers((other) =>
      valueNames(other).filter((name) => listing.has(name.split("=")[0]!)),
    ),
  };
}

function distance(one: Protocol, other: Protocol): number {
  return Math.abs(one.versionNumber - other.versionNumber);
}

/** Sorts profiles so that the one with the most features of another, and few others, is the last. */
function byFeatures({ features }: Protocol): (one: Protocol, other: Protocol) => number {
  const wanted = new Set(features.map(({ name }) => name));
  const likeness = (one: Protocol): number =>
    one.features.filter(({ name }) => wanted.has(name)).length * 2 - one.features.length;
  return (one, other) => likeness(one) - likeness(other);
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
