import { expect, test } from "vitest";
import * as printed from "../../generators/emit/decoders/diagnose.js";
import * as read from "../../templates/runtime/validate/diagnose.js";

test("the flags that are printed mean the same to the runtime that reads them", () => {
  expect(printed.Flag).toEqual(read.Flag);
});
