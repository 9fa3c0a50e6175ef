import { InputError } from "../../schema/problem.js";
import { placesOf, type CapabilityGate, type Place, type PlaceStep } from "./places-in-shape.js";
import type { Definition, Method } from "../protocol.js";
import type { Shape } from "../shape.js";
import { referencesOf } from "../visit-shape.js";

/** A place in a message that may only be used after a capability was advertised. */
export interface GatedPlace {
  readonly part: "params" | "result";
  readonly path: readonly PlaceStep[];
  /** The property of the object at the path that is looked at; absent for the value there itself. */
  readonly tag?: string;
  /** The values that are gated; absent where anything but null and an empty list is. */
  readonly values?: readonly string[];
  readonly gate: CapabilityGate;
}

/** The maximum number of definitions entered for one message. */
const MOST_VISITS = 10_000;

/**
 * Finds the gated places of methods' messages. A definition is entered once on the way
 * to a place: what only stands deeper in a value that contains its own kind is not found.
 *
 * @returns a function that gives the places of a method, in the order of the schema
 * @throws InputError for a gate in a message that requires something other than a
 *   capability, and when a message has places without number
 */
export function gatedPlaces(
  definitions: readonly Definition[],
): (method: Pick<Method, "params" | "result">) => readonly GatedPlace[] {
  const shapes = new Map(definitions.map(({ name, shape }) => [name, shape]));
  const reaching = gateReaching(shapes);

  const placesIn = (message: string): readonly Place[] => {
    const entered = new Set<string>();
    let visits = 0;
    const follow = (name: string): readonly Place[] => {
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
      const places = placesOf(shape, { shapes, follow });
      entered.delete(name);
      return places;
    };
    return follow(message);
  };

  return ({ params, result }) => [
    ...merge("params", placesIn(params)),
    ...merge("result", result === undefined ? [] : placesIn(result)),
  ];
}

/** The definitions from which a gate can be reached. */
function gateReaching(shapes: ReadonlyMap<string, Shape>): ReadonlySet<string> {
  const reaching = new Set<string>();
  for (const [name, shape] of shapes)
    if (placesOf(shape, { shapes, follow: () => [] }).length > 0) reaching.add(name);
  for (let before = -1; before < reaching.size;) {
    before = reaching.size;
    for (const [name, shape] of shapes)
      if (referencesOf(shape).some((other) => reaching.has(other))) reaching.add(name);
  }
  return reaching;
}

/** Places that differ in the value alone are one; the same place twice is one. */
function merge(part: "params" | "result", places: readonly Place[]): readonly GatedPlace[] {
  const merged = new Map<string, GatedPlace>();
  for (const { value, ...place } of places) {
    const key = JSON.stringify([place, value === undefined]);
    const values = new Set(merged.get(key)?.values);
    if (value !== undefined) values.add(value);
    merged.set(key, { part, ...place, ...(value !== undefined && { values: [...values] }) });
  }
  return [...merged.values()];
}
