import { shorten } from "../../../../templates/typescript/runtime/validate/report-text.js";
import { expect, test } from "vitest";
import { codePointLength } from "../../../../templates/typescript/runtime/validate/fast-checks.js";

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

test.each([
  ["a".repeat(60), "a".repeat(60)],
  ["a".repeat(61), `${"a".repeat(60)}…`],
  ["😀".repeat(60), "😀".repeat(60)],
  [`a${"😀".repeat(60)}`, `a${"😀".repeat(59)}…`],
])("a report has at most 60 characters of a text, and no half of one: %#", (text, shown) => {
  expect(shorten(text)).toBe(shown);
});
