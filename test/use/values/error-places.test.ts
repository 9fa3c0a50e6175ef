import type { Issue } from "acp-bindings";
import { describe, expect, it } from "vitest";
import { corpus, type CorpusLine } from "../samples/corpus-lines.js";
import { loadBindings } from "../samples/profiles.js";

/** A change at a place: what was done, the place, and sometimes the variant that it was done to. */
const CHANGE = /^(?<kind>.+?) at (?<place>\/\S*)(?: \((?<variant>.+)\))?$/;

const SIBLING = "tag of a sibling variant";

/** Values that were valid but for one change. */
const samples = corpus("invalid");

/** Matches the paths that a mistake may be reported at. */
function placeOf({ why }: CorpusLine): RegExp {
  const { kind, place } = CHANGE.exec(why)?.groups ?? { kind: why, place: "/" };
  const path = place === "/" ? "" : place!.replaceAll("[]", "\\d+");
  // The list is what the change names, but the item is what is wrong.
  if (kind === "bad array item") return new RegExp(`^${path}/\\d+$`);
  // The tag is a good one then; what it asks for is not there.
  if (kind === SIBLING) return new RegExp(`^${path.replace(/\/[^/]*$/, "")}/[^/]+$`);
  return new RegExp(`^${path}$`);
}

describe("one change of a valid value", async () => {
  const { decode, schemaOf } = await loadBindings("v1");
  const ways: { readonly [way: string]: (sample: CorpusLine) => readonly Issue[] } = {
    decoded: ({ def, value }) => {
      const result = decode(def, value, { unknown: "reject" });
      return result.ok ? [] : result.issues;
    },
    validated: ({ def, value }) => schemaOf(def).issues(value),
  };

  it.each(Object.keys(ways))(
    "is the place of the first error when it is %s, in 95 of 100 cases",
    (way) => {
      const missed = samples.filter(
        (sample) => !placeOf(sample).test(ways[way]!(sample)[0]!.pointer),
      );
      expect(samples.length).toBeGreaterThan(800);
      expect(missed.length / samples.length, missed.map(({ why }) => why).join("\n")).toBeLessThan(
        0.05,
      );
    },
  );

  it.each(Object.keys(ways))("of a session update is the only error when it is %s", (way) => {
    const updates = samples.filter(({ def }) => def === "SessionNotification");
    expect(updates.length).toBeGreaterThan(200);
    for (const sample of updates) {
      const errors = ways[way]!(sample);
      // A tag of another variant is several mistakes, one for each property that it lacks.
      const isOne = !sample.why.startsWith(SIBLING);
      if (isOne) expect(errors, sample.why).toHaveLength(1);
      for (const { pointer } of errors) expect(pointer, sample.why).toMatch(placeOf(sample));
    }
  });
});
