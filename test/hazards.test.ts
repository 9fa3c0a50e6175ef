import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testTitles } from "./test-titles.js";

/** How many hazards there are of each kind; those of peers (B) have their own tests in `interop/faults`. */
const HAZARDS = { A: 17, C: 7, D: 6, E: 7 };

/** A: hostile schemas, C: faults of the machine, D: determinism, E: supply chain. */
const IDS = Object.entries(HAZARDS).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => `${kind}${index + 1}`),
);

test("every hazard of the pipeline has a test that is named after it: `<id>: <rule>`", () => {
  const named = testTitles(fileURLToPath(new URL(".", import.meta.url))).flatMap((title) => {
    const [, ids = ""] = /^(?:check [\d, ]+: )?((?:[ACDE]\d+(?:, )?)+): \S/.exec(title) ?? [];
    return ids.split(", ");
  });
  expect(IDS.filter((id) => !named.includes(id))).toEqual([]);
  expect(named.filter((id) => id !== "" && !IDS.includes(id))).toEqual([]);
});
