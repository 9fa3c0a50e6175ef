import type { Shape, Slot } from "../../../model/shape.js";
import { code, propertyAccess, type Code } from "../../../output/code.js";
import { inlined, isExact, type Find } from "./shape-queries.js";

/**
 * Prints the test of a union whose values must match one variant only.
 *
 * A value that a fast check refuses may be valid nevertheless, as 2^60 is an integer, so that the
 * other variants must be impossible, not only refused.
 *
 * @param tests the fast tests of the variants
 */
export function exclusiveTest(
  variants: readonly Slot[],
  tests: readonly Code[],
  value: Code,
  find: Find,
): Code {
  const possible = variants.map(({ shape, nullable }, index) => {
    if (isExact(shape, find)) return tests[index]!;
    const inner = possibleTest(shape, value, find);
    return nullable ? code`(${value} === null || ${inner})` : inner;
  });
  const sum = possible
    .map((one) => code`(${one} ? 1 : 0)`)
    .reduce((all, one) => code`${all} + ${one}`);
  const isOne = code`(${sum}) === 1`;
  if (possible.every((one, index) => one === tests[index])) return isOne;
  return code`${isOne} && (${tests.reduce((any, one) => code`${any} || ${one}`)})`;
}

/** Prints a cheap test that every valid value of a shape passes, and few others. */
function possibleTest(given: Shape, value: Code, find: Find): Code {
  const shape = inlined(given, find);
  if (shape.kind === "reference") return possibleTest(find(shape.name).shape, value, find);
  if (shape.kind === "scalar") return code`typeof ${value} === "number"`;
  if (shape.kind !== "object") return code`true`;
  const present = shape.fields.filter(({ required }) => required).map(({ name }) => name);
  return [
    ...present.map((name) => code`${value}${propertyAccess(name)} !== undefined`),
    ...(shape.excludes ?? []).map((name) => code`${value}${propertyAccess(name)} === undefined`),
  ].reduce((all, one) => code`${all} && ${one}`, code`_isObject(${value})`);
}
