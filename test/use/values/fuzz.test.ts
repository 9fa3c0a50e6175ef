import { isDeepStrictEqual } from "node:util";
import { InvalidValueError, type Issue } from "acp-bindings";
import { afterAll, describe, expect, it } from "vitest";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import { FUZZ, IS_DEEP, SEED } from "../../support/deep.js";
import { makeValue } from "../samples/make-value.js";
import { createMutate, mutateProperties } from "../samples/mutate-value.js";
import { loadBindings, TRIED_PROFILES, type Bindings } from "../samples/profiles.js";
import { publishedSchema } from "../samples/published.js";
import { createRandom } from "../samples/random.js";
import { createFits, type Fits } from "./complete.js";

const LONGEST_MS = IS_DEEP || FUZZ !== undefined ? 3_600_000 : 60_000;
/** How many valid values of each definition are mutated. */
const COUNT = FUZZ !== undefined ? Math.ceil(Number(FUZZ) / 5_000) : IS_DEEP ? 300 : 5;
/** How many values may be made for a valid one. */
const ATTEMPTS = 20;

/** A value of every type of JSON. */
const OTHERS: readonly Json[] = [null, true, 7, "no_such_value", freeze([]), freeze({})];

const counts = { values: 0, valid: 0, decodings: 0 };

describe.each(TRIED_PROFILES)(`generated values of %s (SEED=${SEED})`, async (profile) => {
  const bindings = await loadBindings(profile);
  const { bundle, definitions } = bindings;
  const published = publishedSchema(profile);
  const ofBundle = createFits(bundle);
  const ofPublished = published && createFits(published);
  const mutate = createMutate(bundle);

  it("are valid, decoded and encoded according to the schema", { timeout: LONGEST_MS }, () => {
    for (const definition of definitions) tryValues(definition);
  });

  function tryValues(definition: string): void {
    const random = createRandom(`${SEED} ${profile} ${definition}`);
    const fits = published?.$defs?.[definition] === undefined ? ofBundle : ofPublished!;
    const check = (value: Json): boolean => {
      try {
        return checkValue(bindings, fits, definition, value);
      } catch (error) {
        // The seed alone does not show the value.
        throw new Error(`${definition} ${JSON.stringify(value)}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    };

    const valid: Json[] = [];
    for (let made = 0; valid.length < COUNT && made < COUNT * ATTEMPTS; made++) {
      const value = freeze(makeValue(definition, bundle, random));
      if (check(value)) valid.push(value);
    }
    expect(valid, definition).toHaveLength(COUNT);

    for (const value of valid)
      for (const mutated of [mutate(value, random), ...mutateProperties(value)])
        check(freeze(mutated));
    OTHERS.forEach(check);
  }
});

afterAll(() => {
  const { values, valid, decodings } = counts;
  console.info(
    `fuzz: ${values} values, ${valid} of them valid, ${decodings} decoded (SEED=${SEED})`,
  );
  if (IS_DEEP) expect(values).toBeGreaterThan(4_000_000);
  // Otherwise the mutations would not reach what the definitions say, or reach nothing else.
  expect(valid / values).toBeGreaterThan(0.2);
  expect(valid / values).toBeLessThan(0.8);
});

/** Checks the verdict on a value and what decoding it gives; returns whether it is valid. */
function checkValue(
  { schemaOf, decode }: Bindings,
  fits: Fits,
  definition: string,
  value: Json,
): boolean {
  const schema = schemaOf(definition);
  const isValid = fits(`/$defs/${definition}`, value);
  counts.values++;
  if (isValid) counts.valid++;
  if (schema.is(value) !== isValid) throw new Error(`the schema says ${isValid}`);
  for (const unknown of ["keep", "reject"] as const) {
    const first = decode(definition, value, { unknown });
    if (!first.ok && isValid) throw new Error(`decode refuses it (${unknown})`);
    if (!first.ok) continue;
    counts.decodings++;
    const again = decode(definition, first.value, { unknown });
    if (!again.ok || !isDeepStrictEqual(again.value, first.value))
      throw new Error(`decode gives another value for its own (${unknown})`);
    if (again.notes.some(({ kind }) => kind === "repaired"))
      throw new Error(`decode repairs its own value (${unknown})`);
    const keepsUnknown = first.notes.some(({ rule }) => rule === "unknown");
    if (keepsUnknown && unknown === "keep") continue;
    if (!schema.is(first.value) || !fits(`/$defs/${definition}`, first.value))
      throw new Error(`decode gives an invalid value (${unknown})`);
    const [obstacle] = keepsUnknown ? [] : obstacles(() => schema.encode(first.value));
    if (obstacle !== undefined)
      throw new Error(`encode refuses what decode gives: ${JSON.stringify(obstacle)}`);
  }
  return isValid;
}

/** Returns why a value may not be sent, apart from undeclared properties, which are found last. */
function obstacles(encode: () => unknown): readonly Issue[] {
  try {
    encode();
    return [];
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error;
    return error.issues.filter(({ rule }) => rule !== "undeclared");
  }
}

/** Freezes a value all through, so that what changes its input throws. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
