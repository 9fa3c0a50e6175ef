import {
  isObject,
  type Json,
  type JsonSchema,
} from "../../../generators/schema/json-schema/json.js";
import { KEYS, makeAny, NUMBERS, STRINGS } from "./make-value.js";
import type { Random } from "./random.js";

/** Changes one place of a value; the input stays as it is. */
export type Mutate = (value: Json, random: Random) => Json;

/**
 * Makes the mutations for the values of a bundle: another type, `null`, a
 * missing or an additional property, another constant, a number at a bound, an
 * unknown tag, at the top or anywhere below.
 */
export function createMutate(bundle: JsonSchema): Mutate {
  const constants = constantsOf(bundle);
  return (value, random) => {
    const places = placesIn(value);
    // The top and its properties decide more often than what lies deep inside.
    const near = places.filter(({ length }) => length <= 2);
    const place = random.pick(random.chance(0.6) ? near : places);
    return change(value, place, (part) => mutate(part, random, constants));
  };
}

/** Every property at the top of a value once missing, `null`, of another type, out of bounds, unknown. */
export function mutateProperties(value: Json): Json[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, property]) =>
    [undefined, null, ...otherValues(property)].map((part) => change(value, [key], () => part)),
  );
}

function otherValues(value: Json): readonly Json[] {
  switch (typeof value) {
    case "string":
      return [7, "no_such_value"];
    case "number":
      return ["7", -1, 0.5, 1e9];
    case "object":
      return ["text", []];
    default:
      return [{}];
  }
}

/** The replacement of a part; `undefined` when the part is removed. */
function mutate(part: Json, random: Random, constants: readonly Json[]): Json | undefined {
  const own = random.chance(0.6) ? mutateWithin(part, random, constants) : part;
  if (own !== part) return own;
  switch (random.below(4)) {
    case 0:
      return null;
    case 1:
      return undefined;
    case 2:
      return random.pick([true, 0, 1.5, "no_such_value", [], {}, [null], { type: 1 }]);
    default:
      return makeAny(random);
  }
}

/** Changes a part and keeps its type. */
function mutateWithin(part: Json, random: Random, constants: readonly Json[]): Json | undefined {
  if (typeof part === "number") {
    return random.chance(0.5) ? random.pick(NUMBERS) : part + random.pick([-1, 1, 0.5]);
  }
  if (typeof part === "string") {
    const other = [part.toUpperCase(), `${part}x`, random.pick(STRINGS), random.pick(constants)];
    return random.pick(other);
  }
  if (typeof part === "boolean") return !part;
  if (Array.isArray(part)) {
    const items = part as readonly Json[];
    return random.chance(0.5) ? [...items, makeAny(random)] : items.slice(1);
  }
  if (!isObject(part)) return part;
  const entries = Object.entries(part);
  if (entries.length === 0 || random.chance(0.2))
    return Object.fromEntries([...entries, [random.pick(KEYS), makeAny(random)]]);
  const removed = random.below(entries.length);
  return Object.fromEntries(entries.filter((_, index) => index !== removed));
}

type Place = readonly (string | number)[];

/** The path of every value inside a value, the whole first. */
function placesIn(value: Json, path: Place = []): Place[] {
  const children: [string | number, Json][] = Array.isArray(value)
    ? value.map((item: Json, index) => [index, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...children.flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

function change(value: Json, place: Place, replace: (part: Json) => Json | undefined): Json {
  const [key, ...rest] = place;
  // The top cannot go away.
  if (key === undefined) return replace(value) ?? null;
  const into = (child: Json): Json | undefined =>
    rest.length > 0 ? change(child, rest, replace) : replace(child);
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      const changed = index === key ? into(item) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, child]: [string, Json]) => {
      const changed = name === key ? into(child) : child;
      return changed === undefined ? [] : [[name, changed]];
    }),
  );
}

/** Every tag and enumeration value of a bundle, to put where it does not belong. */
function constantsOf(bundle: JsonSchema): Json[] {
  const found = new Set<Json>();
  JSON.stringify(bundle, (key, value: Json) => {
    if (key === "const") found.add(value);
    return value;
  });
  return [...found];
}
