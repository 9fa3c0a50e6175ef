import { InputError } from "../../schema/problem.js";
import { pathsOf, type CapabilityGate, type ShapePath, type PlaceStep } from "./places-in-shape.js";
import type { Definition, Method } from "../protocol.js";
import type { Shape } from "../shape.js";
import { referencesOf } from "../visit-shape.js";

/** The path of a field or value in a message that may only be used after a capability was advertised. */
export interface GatedPlace {
  readonly part: "params" | "result";
  readonly path: readonly PlaceStep[];
  /** The property of the object at the path whose value counts; absent for the value at the path itself. */
  readonly tag?: string;
  /** The gated values; absent when every value but null and an empty list is gated. */
  readonly values?: readonly string[];
  readonly gate: CapabilityGate;
}

/** The maximum number of definitions entered for one message. */
const MOST_VISITS = 10_000;

/**
 * Finds the gated paths in the messages of methods. A path enters each definition once, so
 * paths that lead through a value of their own kind are not found.
 *
 * @returns a function that returns the gated paths of a method, in the order of the schema
 * @throws InputError for a gate in a message that requires something other than a
 *   capability, and when a message has too many paths
 */
export function gatedPlaces(
  definitions: readonly Definition[],
): (method: Pick<Method, "params" | "result">) => readonly GatedPlace[] {
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  const reaching = gateReaching(shapes);

  const pathsIn = (message: string): readonly ShapePath[] => {
    const entered = new Set<string>();
    let visits = 0;
    const follow = (name: string): readonly ShapePath[] => {
      const shape = shapes.get(name);
      if (shape === undefined || !reaching.has(name) || entered.has(name)) return [];
      if (++visits > MOST_VISITS)
        throw new InputError([
          {
            message: `"${message}" leads to gates in more ways than can be listed`,
            hint: "Let fewer definitions refer to each other, or gate the method.",
          },
        ]);
      entered.add(name);
      const paths = pathsOf(shape, { shapes, follow });
      entered.delete(name);
      return paths;
    };
    return follow(message);
  };

  return ({ params, result }) => [
    ...merge("params", pathsIn(params)),
    ...merge("result", result === undefined ? [] : pathsIn(result)),
  ];
}

/** Returns the definitions from which a gate can be reached. */
function gateReaching(shapes: ReadonlyMap<string, Shape>): ReadonlySet<string> {
  const reaching = new Set<string>();
  for (const [name, shape] of shapes)
    if (pathsOf(shape, { shapes, follow: () => [] }).length > 0) reaching.add(name);
  for (let before = -1; before < reaching.size;) {
    before = reaching.size;
    for (const [name, shape] of shapes)
      if (referencesOf(shape).some((other) => reaching.has(other))) reaching.add(name);
  }
  return reaching;
}

/** Merges paths that differ only in the value, and removes duplicates. */
function merge(part: "params" | "result", paths: readonly ShapePath[]): readonly GatedPlace[] {
  const merged = new Map<string, GatedPlace>();
  for (const { value, ...place } of paths) {
    const key = JSON.stringify([place, value === undefined]);
    const values = new Set(merged.get(key)?.values);
    if (value !== undefined) values.add(value);
    merged.set(key, { part, ...place, ...(value !== undefined && { values: [...values] }) });
  }
  return [...merged.values()];
}
