import type { EnumShape, ScalarShape } from "../../model/shape.js";
import { joinPython, literal, py, type Python } from "./code.js";

/** The integers that every language represents exactly. */
const MOST_SAFE = Number.MAX_SAFE_INTEGER;

/** Prints statements that check a string, number or boolean in a variable. */
export function printScalarCheck(shape: ScalarShape, value: Python, mode: Python): Python[] {
  const { minimum, maximum, minLength, maxLength, pattern } = shape;
  switch (shape.type) {
    case "boolean":
      return [py`if ${value} is not True and ${value} is not False:`, py`    raise Slow`];
    case "string": {
      const wrong = [
        py`type(${value}) is not str`,
        ...(minLength === undefined ? [] : [py`len(${value}) < ${literal(minLength)}`]),
        ...(maxLength === undefined ? [] : [py`len(${value}) > ${literal(maxLength)}`]),
        ...(pattern === undefined ? [] : [py`not matches(${literal(pattern)}, ${value})`]),
      ];
      return [py`if ${joinPython(wrong, " or ")}:`, py`    raise Slow`];
    }
    case "integer": {
      const least = literal(Math.max(minimum ?? -MOST_SAFE, -MOST_SAFE));
      const most = literal(Math.min(maximum ?? MOST_SAFE, MOST_SAFE));
      return [
        py`if type(${value}) is not int or not ${least} <= ${value} <= ${most}:`,
        py`    ${value} = integer(${value}, ${mode})`,
      ];
    }
    case "number": {
      const least = literal(minimum ?? -Number.MAX_VALUE);
      const most = literal(maximum ?? Number.MAX_VALUE);
      const isNumber = py`type(${value}) not in NUMBERS`;
      return [py`if ${isNumber} or not ${least} <= ${value} <= ${most}:`, py`    raise Slow`];
    }
    default:
      return shape.type satisfies never;
  }
}

/** Prints statements that check a value of an enumeration in a variable. */
export function printEnumCheck(shape: EnumShape, value: Python, mode: Python): Python[] {
  const { values, type, open } = shape;
  const listed = values.map((one) => literal(one.value));
  const known = listed.length === 0 ? py`()` : py`(${joinPython(listed, ", ")},)`;
  if (type === "integer")
    return [
      py`if type(${value}) is not int or ${value} not in ${known}:`,
      py`    ${value} = integer(${value}, ${mode})`,
    ];
  return [
    py`if type(${value}) is not str or ${value} not in ${known}:`,
    py`    ${value} = unlisted(${value}, ${mode}, ${literal(open !== undefined)})`,
  ];
}
