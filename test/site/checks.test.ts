import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testTitles } from "../test-titles.js";

/** The checks that the site has to pass, by their numbers in its brief. */
const CHECKS = Array.from({ length: 25 }, (_, index) => index + 1);

test("every check of the site has a test that is named after it: `check <number>: <rule>`", () => {
  const named = testTitles(fileURLToPath(new URL(".", import.meta.url))).flatMap((title) => {
    const [, numbers] = /^check ([\d, ]+): \w/.exec(title) ?? [];
    return numbers === undefined ? [] : numbers.split(", ").map(Number);
  });
  expect([...new Set(named)].sort((a, b) => a - b)).toEqual(CHECKS);
});
