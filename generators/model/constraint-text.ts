import type { ScalarShape, Shape } from "./shape.js";
import type { TextPart } from "./text-part.js";

/**
 * Describes what restricts the values of a shape beyond its kind, and the
 * annotations that are never checked: one sentence a fact. References are not followed.
 */
export function describeConstraints(shape: Shape): readonly (readonly TextPart[])[] {
  switch (shape.kind) {
    case "scalar":
      return scalarConstraints(shape);
    case "enum":
      return annotation("Format", shape.format);
    case "list":
      return [
        ...count("At least", shape.minItems, "item"),
        ...count("At most", shape.maxItems, "item"),
        ...describeConstraints(shape.items.shape).map((fact) => ["Each item: ", ...fact]),
      ];
    case "object":
      return [
        ...(shape.closed === true ? [["No other properties."]] : []),
        ...(shape.patterns ?? []).map(({ pattern }) => [
          ...["Properties like ", { code: pattern }, " are checked."],
        ]),
        ...(shape.others === undefined ? [] : [["Other properties are checked."]]),
        ...(shape.excludes ?? []).map((name) => ["Never with ", { code: name }, "."]),
      ];
    case "map":
      return describeConstraints(shape.values.shape).map((fact) => ["Each value: ", ...fact]);
    default:
      return [];
  }
}

function scalarConstraints(shape: ScalarShape): readonly (readonly TextPart[])[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, pattern } = shape;
  return [
    ...(minimum === undefined ? [] : [[`Minimum: ${minimum}.`]]),
    ...(maximum === undefined ? [] : [[`Maximum: ${maximum}.`]]),
    ...(above === undefined ? [] : [[`Greater than ${above}.`]]),
    ...(below === undefined ? [] : [[`Less than ${below}.`]]),
    ...count("At least", shape.minLength, "character"),
    ...count("At most", shape.maxLength, "character"),
    ...(pattern === undefined ? [] : [["Pattern: ", { code: pattern }, "."]]),
    ...annotation("Format", shape.format),
    ...annotation("Encoding", shape.encoding),
  ];
}

function annotation(label: string, value: string | undefined): readonly (readonly TextPart[])[] {
  return value === undefined ? [] : [[`${label}: `, { code: value }, " (not checked)."]];
}

function count(
  words: string,
  limit: number | undefined,
  unit: string,
): readonly (readonly TextPart[])[] {
  return limit === undefined ? [] : [[`${words} ${limit} ${unit}${limit === 1 ? "" : "s"}.`]];
}
