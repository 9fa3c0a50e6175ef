import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../support/paths.js";
import { makeValue } from "../samples/make-value.js";
import { createMutate, mutateProperties } from "../samples/mutate-value.js";
import { createRandom } from "../samples/random.js";
import { ours, upstream } from "./verdicts.js";
import { IS_DEEP } from "../../support/deep.js";

/** The quick run is the same every time; a deep one is another every time, unless `SEED` repeats it. */
const SEED = process.env["SEED"] ?? (IS_DEEP ? String(Date.now()) : "1");
/** How many valid and how many mutated values there are of each definition. */
const COUNT = IS_DEEP ? 2000 : 100;
/** How many values may be made for a valid one. */
const ATTEMPTS = 20;

const bundle = JSON.parse(
  readFileSync(join(ROOT, "out/schema/v1.schema.json"), "utf8"),
) as JsonSchema;
const definitions = Object.keys(bundle.$defs!).sort();
const expected = upstream();
const mutate = createMutate(bundle);

/** These take every value, so that nothing can make one invalid. */
const ANY: ReadonlySet<string> = new Set(["ExtNotification", "ExtRequest", "ExtResponse"]);

describe(`the validators agree with upstream's schema on made values (SEED=${SEED})`, () => {
  it.each(definitions)("of %s", (definition) => {
    const random = createRandom(`${SEED} ${definition}`);
    const judge = (value: Json): boolean => {
      const verdict = expected(definition, value);
      // The value stands in the message, because the seed alone does not show it.
      if (ours(definition, value) !== verdict)
        expect.fail(`upstream's schema says ${verdict}: ${JSON.stringify(value)}`);
      return verdict;
    };

    const valid: Json[] = [];
    for (let made = 0; valid.length < COUNT && made < COUNT * ATTEMPTS; made++) {
      const value = makeValue(definition, bundle, random);
      if (judge(value)) valid.push(value);
    }
    expect(valid).toHaveLength(COUNT);

    const mutated = valid.map((value) => mutate(value, random));
    const invalid = mutated.filter((value) => !judge(value));
    // Less would mean that the mutations do not reach what the definition says.
    if (!ANY.has(definition)) expect(invalid.length / mutated.length).toBeGreaterThan(0.1);
    valid.flatMap(mutateProperties).forEach(judge);
  });
});
