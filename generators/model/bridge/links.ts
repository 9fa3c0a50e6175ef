import type { PropertySource } from "../../schema/bridge/bridge-source.js";
import type { Field, Shape } from "../shape.js";
import type { Context, Place } from "./context.js";

/** A property of one side with its entry, and the way to it on the other side. */
export interface Link {
  /** The name in version 1, or in version 2 where version 1 has none. */
  readonly key: string;
  readonly entry: PropertySource;
  /** One or two names: a property, or a property of a property. */
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** The entries of the properties of a pair. */
export type Entries = { readonly [name: string]: PropertySource };

/** Finds the counterpart of a property by its name in the version that is converted. */
export function linkOf(name: string, entries: Entries, { direction }: Context): Link {
  if (direction === "toV2") {
    const entry = entries[name] ?? {};
    return { key: name, entry, from: [name], to: (entry.rename ?? name).split("/") };
  }
  const renamed = Object.entries(entries).find(([, { rename }]) => rename === name);
  const [key, entry] = renamed ?? [name, entries[name] ?? {}];
  return { key, entry, from: [name], to: [key] };
}

/** Finds the entry of a property of the result that nothing is converted to. */
export function targetLink(name: string, entries: Entries, { direction }: Context): Link {
  const renamed =
    direction === "toV2"
      ? Object.entries(entries).find(([, { rename }]) => rename === name)
      : undefined;
  const [key, entry] = renamed ?? [name, entries[name] ?? {}];
  return { key, entry, from: [], to: [name] };
}

/** Returns a property, or a property of a property; undefined when it does not exist. */
export function fieldAt(
  fields: readonly Field[],
  way: readonly string[],
  definitions: Context["from"],
): Field | undefined {
  const field = fields.find(({ name }) => name === way[0]);
  if (way.length < 2 || field === undefined) return field;
  const shape: Shape =
    field.shape.kind === "reference" ? definitions.get(field.shape.name)!.shape : field.shape;
  return shape.kind === "object" ? fieldAt(shape.fields, way.slice(1), definitions) : undefined;
}

/** Returns the place of a property in the mapping. */
export function placeOf(context: Context, { key, entry }: Link, at: Place): Place {
  const path = ["definitions", at.pair.key, "properties", key];
  const cases = entry[context.direction];
  return { pair: at.pair, path, label: `${at.pair.key}/${key}`, ...(cases && { cases }) };
}
