import { isObject, type Json } from "../json-schema/json.js";
import type { Path } from "../json-schema/walk.js";
import type { Refuse } from "./combinations.js";
import { listOf } from "./intersect.js";

/** The keywords by which generators of schemas name the values of an enumeration, in the order of `enum`. */
const KEYWORDS = ["x-enum-varnames", "x-enumNames"];

/**
 * Returns the names that a definition gives to the values of its enumeration, by their paths: `Op/<=`
 * is `OpNotAbove`.
 *
 * @param refuse gets lists that do not fit the values, and names that are not names, or occur twice
 */
export function valueNames(
  definition: string,
  schema: Json,
  path: Path,
  refuse: Refuse,
): readonly (readonly [path: string, name: string])[] {
  const keyword = isObject(schema) ? KEYWORDS.find((one) => Object.hasOwn(schema, one)) : undefined;
  if (keyword === undefined || !isObject(schema)) return [];
  const values = listOf(schema["enum"]);
  const given = schema[keyword];
  const place = [...path, keyword];
  if (!Array.isArray(given) || given.length !== values.length) {
    const names = Array.isArray(given) ? `${given.length} names` : "no list of names";
    refuse(place, `has ${names} for ${values.length} values`, "Name each value of enum.");
    return [];
  }
  const names = given.map((name) => pascalCase(name));
  return values.flatMap((value, index) => {
    const name = names[index]!;
    const shown = JSON.stringify(given[index]);
    if (!/[A-Za-z0-9]/.test(name))
      refuse([...place, index], `${shown} is not a name`, "Write a name with letters.");
    else if (names.indexOf(name) < index)
      refuse([...place, index], `${shown} is the name of another value`, "Choose another name.");
    else return [[`${definition}/${String(value)}`, definition + name] as const];
    return [];
  });
}

/** Returns the words of a name, `NOT_ABOVE`, as one: `NotAbove`; an empty text for what is not a name. */
function pascalCase(name: unknown): string {
  if (typeof name !== "string") return "";
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words
    .map((word) => {
      const rest = word.slice(1);
      return word[0]!.toUpperCase() + (word === word.toUpperCase() ? rest.toLowerCase() : rest);
    })
    .join("");
}
