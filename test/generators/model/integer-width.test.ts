import { expect, test } from "vitest";
import { integerWidth } from "../../../generators/model/integer-width.js";

test.each([
  ["int32", { bits: 32, isSigned: true }],
  ["uint16", { bits: 16, isSigned: false }],
  ["uint64", { bits: 64, isSigned: false }],
  ["double", { bits: 64, isSigned: true }],
  [undefined, { bits: 64, isSigned: true }],
])("an integer with the format %s has the width %j", (format, width) => {
  expect(integerWidth(format === undefined ? {} : { format })).toEqual(width);
});
