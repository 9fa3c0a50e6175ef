import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { walk } from "../../../generators/schema/json-schema/walk.js";
import { createComplete, createFits } from "../values/complete.js";
import { flaggedProperties, isFlagged, type FlaggedProperty } from "./flagged.js";
import { createOracle, type Input, type Outcome } from "./lenient-oracle.js";
import { loadBindings, PROFILES } from "../samples/profiles.js";

describe.each(PROFILES)(
  "every flagged property of %s decodes as the table says when it is",
  async (profile) => {
    const { bundle, decode } = await loadBindings(profile);
    const fits = createFits(bundle);
    const { inputs, expected } = createOracle(bundle, fits, createComplete(bundle, fits));
    const properties = flaggedProperties(bundle);

    it("one of the tested values", () => {
      const flagged = new Set<object>();
      for (const definition of Object.values(bundle.$defs!))
        walk(definition, (schema) => isFlagged(schema) && flagged.add(schema));
      expect(flagged.size).toBeGreaterThan(100);
      expect(new Set(properties.map(({ schema }) => schema))).toEqual(flagged);
    });

    const kinds = ["missing", "null", "wrong type", "mixed", "all items wrong"] as const;
    it.each(kinds)("%s", (kind) => {
      const rows = properties.flatMap((property) =>
        inputs(property)
          .filter((input) => input.kind === kind)
          .map((input) => ({ property, input })),
      );
      expect(rows.length).toBeGreaterThan(20);
      const wrong = rows.flatMap(({ property, input }) => {
        const theirs = outcome(property, input);
        const ours = expected(property, input);
        return isDeepStrictEqual(theirs, ours)
          ? []
          : [{ ...where(property), input: input.value, theirs, ours }];
      });
      expect(wrong).toEqual([]);
    });

    function outcome({ definition }: FlaggedProperty, { value }: Input): Outcome {
      const result = decode(definition, value);
      if (!result.ok) return { ok: false, pointer: result.issues[0]!.pointer };
      const notes = result.notes.map(({ pointer, rule }) => ({ pointer, rule }));
      return { ok: true, value: result.value as Input["value"], notes };
    }
  },
);

function where({ definition, variant, name }: FlaggedProperty): { readonly row: string } {
  return { row: `${definition}${variant}.${name}` };
}
