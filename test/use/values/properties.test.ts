import { isDeepStrictEqual } from "node:util";
import type { Decoded } from "acp-bindings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../generators/schema/json-schema/json.js";
import { arbitrariesOf } from "../samples/arbitraries.js";
import { createComplete, createFits } from "./complete.js";
import { loadBindings, TRIED_PROFILES } from "../samples/profiles.js";
import { IS_DEEP, SEED } from "../../support/deep.js";

const RUNS = Number(process.env["RUNS"] ?? (IS_DEEP ? 100 : 3));
const LONGEST_MS = IS_DEEP ? 3_600_000 : 60_000;

describe.each(TRIED_PROFILES)(`in %s (SEED=${SEED}),`, async (profile) => {
  const { bundle, definitions, decode, encode } = await loadBindings(profile);
  const fits = createFits(bundle);
  const complete = createComplete(bundle, fits);
  const anyOf = arbitrariesOf(bundle);
  const plainOf = arbitrariesOf(bundle, false);

  it("any value decodes to itself, up to defaults", { timeout: LONGEST_MS }, () =>
    forEach(anyOf, decodesToItself),
  );

  it("any value arrives as it was sent, up to defaults", { timeout: LONGEST_MS }, () =>
    forEach(plainOf, survivesBeingSent),
  );

  /** Checks valid values of each definition. */
  function forEach(valuesOf: typeof anyOf, check: (definition: string, value: Json) => void): void {
    for (const definition of definitions) {
      const valid = valuesOf(definition).filter((value) => fits(`/$defs/${definition}`, value));
      const run = (value: Json): void => check(definition, freeze(value));
      try {
        fc.assert(fc.property(valid, run), { seed: Number(SEED), numRuns: RUNS });
      } catch (error) {
        throw new Error(definition, { cause: error });
      }
    }
  }

  function decodesToItself(definition: string, valid: Json): void {
    const result = accepted(decode(definition, valid));
    const rules = result.notes.map(({ rule }) => rule);
    expect(rules.filter((rule) => rule !== "unknown" && rule !== "unsafe-integer")).toEqual([]);
    const completed = complete(definition, valid);
    expectEqual(result.value, completed);
    if (isDeepStrictEqual(completed, valid)) expect(result.value).toBe(valid);
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
