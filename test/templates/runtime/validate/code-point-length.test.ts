import { expect, test } from "vitest";
import { codePointLength } from "../../../../templates/runtime/validate/fast-checks.js";

test.each([
  "",
  "a",
  "é",
  "😀",
  "a😀b",
  "😀😀",
  "\ud83d",
  "\ude00",
  "\ud83da",
  "\ude00\ud83d",
  "a\ude00",
])("the length of %j is counted in code points; half of a pair counts as one", (text) => {
  expect(codePointLength(text)).toBe([...text].length);
});
