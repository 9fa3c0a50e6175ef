import { isObject, type Json } from "../schema/json-schema/json.js";
import { fieldsOf } from "./map-shape.js";
import type { Definition } from "./protocol.js";
import type { Field, Shape } from "./shape.js";

/**
 * Returns the default of a property in a protocol with some features only, without the members that
 * other features declare: for languages that print all features at once and compile some of them.
 *
 * @param field a property in a protocol with at least these features
 * @param definitions those of that protocol, by name
 * @param features the selected features
 * @returns a JSON value; undefined for a property without a default
 */
export function defaultWith(
  field: Field,
  definitions: ReadonlyMap<string, Definition>,
  features: ReadonlySet<string>,
): Json | undefined {
  if (field.default === undefined) return undefined;
  return reduce(field.default, field.shape, definitions, features);
}

function reduce(
  value: Json,
  shape: Shape,
  definitions: ReadonlyMap<string, Definition>,
  features: ReadonlySet<string>,
): Json {
  if (shape.kind === "reference")
    return reduce(value, definitions.get(shape.name)!.shape, definitions, features);
  if (!isObject(value)) return value;
  const fields = new Map(fieldsOf(shape).map((field) => [field.name, field]));
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const field = fields.get(name);
    if (field === undefined) return [[name, member]];
    if (field.feature !== undefined && !features.has(field.feature)) return [];
    return [[name, reduce(member, field.shape, definitions, features)]];
  });
  return Object.fromEntries(members);
}
