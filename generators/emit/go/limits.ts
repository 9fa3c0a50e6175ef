import type { EnumShape, ListShape, ScalarShape } from "../../model/shape.js";
import { go, literal, numeral, type Go } from "./code.js";
import { scalarOf, SCALARS } from "./context.js";

/*
 * Conditions under which a value is within the limits of its shape. A decoder has them about what it has
 * read, an encoder about what it is to print.
 */

/** Returns the conditions on a scalar, without that of a pattern. */
export function scalarConditions(shape: ScalarShape, value: Go, isNamed: boolean): Go[] {
  const { type, minLength, maxLength, constant } = shape;
  const plain = isNamed ? go`${SCALARS[scalarOf(shape)]}(${value})` : value;
  if (type === "boolean") return constant === undefined ? [] : [constant ? plain : go`!${plain}`];
  if (type !== "string") return numberConditions(shape, value);
  return between(go`codec.Length(${plain})`, minLength, maxLength);
}

/** Returns the conditions on the number of items in a list. */
export function sizeConditions({ minItems, maxItems }: ListShape, list: Go): Go[] {
  return between(go`len(${list})`, minItems, maxItems);
}

function between(size: Go, least: number | undefined, most: number | undefined): Go[] {
  return [
    ...(least === undefined ? [] : [go`${size} >= ${numeral(least)}`]),
    ...(most === undefined ? [] : [go`${size} <= ${numeral(most)}`]),
  ];
}

function numberConditions(shape: ScalarShape, value: Go): Go[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = shape;
  const condition = (operator: Go, limit: number | undefined): Go[] => {
    if (limit === undefined) return [];
    const isExact = shape.type === "number" || Number.isSafeInteger(limit);
    return [go`${isExact ? value : go`float64(${value})`} ${operator} ${numeral(limit)}`];
  };
  const isAlwaysAbove = scalarOf(shape) === "unsigned" && minimum === 0;
  return [
    ...condition(go`>=`, isAlwaysAbove ? undefined : minimum),
    ...condition(go`<=`, maximum),
    ...condition(go`>`, exclusiveMinimum),
    ...condition(go`<`, exclusiveMaximum),
  ];
}

/** Returns the expressions of the values that an enumeration lists. */
export function listedValues({ values }: EnumShape): Go[] {
  return values.map(({ value }) => (typeof value === "string" ? literal(value) : numeral(value)));
}

/** Returns the condition under which a text is a custom value of an enumeration; none where it has none. */
export function customConditions({ type, open }: EnumShape, text: Go): Go[] {
  return open !== undefined && type === "string" ? [go`codec.IsCustom(${text})`] : [];
}

/** The parts of the names of functions that read and print scalars. */
export const SCALAR_NAMES = {
  string: go`String`,
  integer: go`Integer`,
  unsigned: go`Unsigned`,
  number: go`Number`,
  boolean: go`Bool`,
} as const;
