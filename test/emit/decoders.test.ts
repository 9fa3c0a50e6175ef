import { expect, test } from "vitest";
import * as printed from "../../generators/emit/decoders/operations.js";
import * as read from "../../templates/runtime/shape-table.js";

test("what is printed into tables means the same to the runtime that reads them", () => {
  expect(printed.Op).toEqual(read.Op);
  expect(printed.Flag).toEqual(read.Flag);
});
