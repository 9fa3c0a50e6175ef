import { isDeepStrictEqual } from "node:util";
import { InvalidValueError, type Decoded, type Issue } from "acp-bindings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import { arbitrariesOf } from "../samples/arbitraries.js";
import { createComplete, createFits } from "./complete.js";
import { createMutate } from "../samples/mutate-value.js";
import { loadBindings, PROFILES } from "../samples/profiles.js";
import { createRandom } from "../samples/random.js";
import { IS_DEEP } from "../../support/deep.js";

/** The quick run is the same every time; a deep one is another every time, unless `SEED` repeats it. */
const SEED = Number(process.env["SEED"] ?? (IS_DEEP ? Date.now() % 2 ** 31 : 1));
const RUNS = Number(process.env["RUNS"] ?? (IS_DEEP ? 1000 : 3));

describe.each(PROFILES)(`in %s (SEED=${SEED}),`, async (profile) => {
  const { bundle, definitions, decode, encode, schemaOf } = await loadBindings(profile);
  const fits = createFits(bundle);
  const complete = createComplete(bundle, fits);
  const anyOf = arbitrariesOf(bundle);
  const plainOf = arbitrariesOf(bundle, false);
  const mutate = createMutate(bundle);

  it.each(definitions)("any %s decodes and validates as promised", (definition) => {
    const place = `/$defs/${definition}`;
    const valid = anyOf(definition).filter((value) => fits(place, value));
    const check = (value: Json, seed: number): void => {
      decodesToItself(definition, freeze(value));
      const mutated = freeze(mutate(value, createRandom(String(seed))));
      for (const any of [value, mutated]) {
        expect(schemaOf(definition).is(any)).toBe(fits(place, any));
        for (const unknown of ["keep", "reject"] as const) decodesForGood(definition, any, unknown);
      }
    };
    fc.assert(fc.property(valid, fc.nat(), check), { seed: SEED, numRuns: RUNS });
  });

  it.each(definitions)("any %s arrives as it was sent, up to defaults", (definition) => {
    const valid = plainOf(definition).filter((value) => fits(`/$defs/${definition}`, value));
    const check = (value: Json): void => survivesBeingSent(definition, freeze(value));
    fc.assert(fc.property(valid, check), { seed: SEED, numRuns: RUNS });
  });

  function decodesToItself(definition: string, valid: Json): void {
    const result = accepted(decode(definition, valid));
    const rules = result.notes.map(({ rule }) => rule);
    expect(rules.filter((rule) => rule !== "unknown" && rule !== "unsafe-integer")).toEqual([]);
    const completed = complete(definition, valid);
    expectEqual(result.value, completed);
    if (isDeepStrictEqual(completed, valid)) expect(result.value).toBe(valid);
  }

  /** A decoded value is valid, may be sent and decodes to itself, apart from what it kept as unknown. */
  function decodesForGood(definition: string, value: Json, unknown: "keep" | "reject"): void {
    const first = decode(definition, value, { unknown });
    if (!first.ok) return expect(fits(`/$defs/${definition}`, value)).toBe(false);
    const again = accepted(decode(definition, first.value, { unknown }));
    expectEqual(again.value, first.value);
    expect(again.notes.filter(({ kind }) => kind === "repaired")).toEqual([]);
    const isStrict = unknown === "reject";
    if (isStrict) expect(fits(`/$defs/${definition}`, first.value)).toBe(true);
    if (!isStrict && first.notes.some(({ rule }) => rule === "unknown")) return;
    expect(schemaOf(definition).issues(first.value)).toEqual([]);
    if (first.notes.some(({ rule }) => rule === "unknown")) return;
    expect(obstacles(definition, first.value)).toEqual([]);
  }

  /** Why a value may not be sent, apart from undeclared properties, which are found last. */
  function obstacles(definition: string, value: unknown): readonly Issue[] {
    try {
      encode(definition, value);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error;
      return error.issues.filter(({ rule }) => rule !== "undeclared");
    }
  }

  /** A sender may say whatever a profile knows. */
  function survivesBeingSent(definition: string, valid: Json): void {
    const { notes } = accepted(decode(definition, valid));
    if (notes.some(({ rule }) => rule === "unknown")) return;
    const arrived = accepted(decode(definition, encode(definition, valid)));
    expectEqual(arrived.value, complete(definition, valid));
  }
});

function accepted(result: Decoded<unknown>): Decoded<unknown> & { readonly ok: true } {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.issues)}`);
  return result;
}

/** Quicker than `toEqual`, which explains. */
function expectEqual(value: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(value, expected)) expect(value).toEqual(expected);
}

/** Frozen all through: what changes its input throws. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null)
    Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
