import type { EnumShape, ScalarShape } from "../../../model/shape.js";
import { joinPython, literal, py, type Python } from "../code.js";

/** The integers that every language represents exactly. */
const MOST_SAFE = Number.MAX_SAFE_INTEGER;
const FEW = 3;

/** Prints statements that check a string, number or boolean in a variable. */
export function printScalarCheck(shape: ScalarShape, value: Python, mode: Python): Python[] {
  const condition = py`if ${joinPython(invalidScalar(shape, value), " or ")}:`;
  if (shape.type === "integer") return [condition, py`    ${value} = integer(${value}, ${mode})`];
  return [condition, py`    raise Slow`];
}

/** Returns the conditions any of which shows that a value is not a safe scalar of a shape. */
export function invalidScalar(shape: ScalarShape, value: Python): Python[] {
  const { minimum, maximum, minLength, maxLength, pattern } = shape;
  switch (shape.type) {
    case "boolean":
      return shape.constant === undefined
        ? [py`${value} is not True and ${value} is not False`]
        : [py`${value} is not ${literal(shape.constant)}`];
    case "string":
      return [
        py`type(${value}) is not str`,
        ...(minLength === undefined ? [] : [py`len(${value}) < ${literal(minLength)}`]),
        ...(maxLength === undefined ? [] : [py`len(${value}) > ${literal(maxLength)}`]),
        ...(pattern === undefined ? [] : [py`not matches(${literal(pattern)}, ${value})`]),
      ];
    case "integer": {
      const least = literal(Math.max(minimum ?? -MOST_SAFE, -MOST_SAFE));
      const most = literal(Math.min(maximum ?? MOST_SAFE, MOST_SAFE));
      return [
        py`type(${value}) is not int`,
        py`not ${least} <= ${value} <= ${most}`,
        ...notBetween(shape, value),
      ];
    }
    case "number": {
      const least = literal(minimum ?? -Number.MAX_VALUE);
      const most = literal(maximum ?? Number.MAX_VALUE);
      return [
        py`type(${value}) not in NUMBERS`,
        py`not ${least} <= ${value} <= ${most}`,
        ...notBetween(shape, value),
      ];
    }
    default:
      return shape.type satisfies never;
  }
}

function notBetween(
  { exclusiveMinimum: above, exclusiveMaximum: below }: ScalarShape,
  value: Python,
): Python[] {
  return [
    ...(above === undefined ? [] : [py`${value} <= ${literal(above)}`]),
    ...(below === undefined ? [] : [py`${value} >= ${literal(below)}`]),
  ];
}

/** Prints statements that check a value of an enumeration in a variable. */
export function printEnumCheck(shape: EnumShape, value: Python, mode: Python): Python[] {
  const condition = py`if ${joinPython(unlistedValue(shape, value), " or ")}:`;
  if (shape.type === "integer") return [condition, py`    ${value} = integer(${value}, ${mode})`];
  const isOpen = literal(shape.open !== undefined);
  return [condition, py`    ${value} = unlisted(${value}, ${mode}, ${isOpen})`];
}

/** Returns the conditions any of which shows that an enumeration does not list a value. */
export function unlistedValue({ values, type }: EnumShape, value: Python): Python[] {
  const listed = values.map((one) => literal(one.value));
  // Python makes a constant set of a display; for a few values, comparing is as fast.
  const isLong = listed.length > FEW;
  const known = isLong
    ? py`{${joinPython(listed, ", ")}}`
    : listed.length === 0
      ? py`()`
      : py`(${joinPython(listed, ", ")},)`;
  const expected = type === "integer" ? py`int` : py`str`;
  return [py`type(${value}) is not ${expected}`, py`${value} not in ${known}`];
}
