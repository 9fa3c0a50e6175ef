import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The checks that the site has to pass, by their numbers in its brief. */
const CHECKS = Array.from({ length: 25 }, (_, index) => index + 1);

test("every check of the site has a test that is named after it: `check <number>: <rule>`", () => {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(`${folder}/${name}`, "utf8"));
  const named = texts.flatMap((text) =>
    [
      ...text.matchAll(/(?:describe|test)(?:\.\w+\([\s\S]*?\))?\(\s*["`]check ([\d, ]+): \w/g),
    ].flatMap((match) => match[1]!.split(", ").map(Number)),
  );
  expect([...new Set(named)].sort((a, b) => a - b)).toEqual(CHECKS);
});
