import type { Diagnostic } from "../rule.js";
import { placeName, schemaParts, pointerTo, type SourceIndex } from "../source-index.js";

/** Finds methods of features that another side handles under the same name, in the base or in another feature. */
export function* findHandledTwice({ methods }: SourceIndex): Generator<Diagnostic> {
  for (const { file, path, feature, method } of methods) {
    const { name, side } = method;
    const other = methods.find(
      (one) => one.method.name === name && one.method.side !== side && one.feature !== feature,
    );
    if (feature === undefined || other === undefined) continue;
    yield {
      file,
      pointer: pointerTo({ path }, ["side"]),
      subject: name,
      message: `the ${side} handles "${name}", which is a method of the ${other.method.side}`,
      hint: `Let the ${other.method.side} handle it, or rename it.`,
    };
  }
}

/** Finds values that an enumeration lists more than once. */
export function* findRepeatedValues(index: SourceIndex): Generator<Diagnostic> {
  for (const { of, schema, path } of schemaParts(index)) {
    const values = schema.enum ?? [];
    for (const [position, value] of values.entries())
      if (values.indexOf(value) !== position)
        yield {
          file: of.file,
          pointer: pointerTo(of, [...path, "enum", position]),
          subject: placeName(of, path),
          message: `the value ${JSON.stringify(value)} is listed before`,
          hint: "Remove one of them.",
        };
  }
}
