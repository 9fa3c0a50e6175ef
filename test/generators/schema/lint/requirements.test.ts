import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { ROOT } from "../../../support/paths.js";
import { composed, sources } from "../canonical.js";
import { PUBLISHED, readKeyWords } from "../../../reference/reference.js";
import { keyWordsOf, textsOf } from "../../../reference/texts.js";

interface Exception {
  /** `lacks`: the published schema states it at the places and ours does not; `adds`: the reverse. */
  readonly difference: "lacks" | "adds";
  readonly versions: readonly string[];
  readonly places: readonly string[];
  readonly reason: string;
}

const { exceptions } = JSON.parse(
  readFileSync(join(ROOT, "schema/requirement-exceptions.json"), "utf8"),
) as { readonly exceptions: readonly Exception[] };

/** Counts the key words of a place. */
function count(words: readonly string[] = []): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Lists the differences of a profile from the published schema, one line a place and kind. */
function differencesOf(profile: string): string[] {
  const published = readKeyWords(profile);
  const { protocol, features } = sources.profiles.get(profile)!;
  const own = textsOf(publishSchema(composed(protocol, features)));
  return [...new Set([...published.keys(), ...own.keys()])].flatMap((place) => {
    const [theirs, ours] = [count(published.get(place)), count(keyWordsOf(own.get(place) ?? ""))];
    const lacks = [...theirs].some(([word, number]) => (ours.get(word) ?? 0) < number);
    const adds = [...ours.keys()].some((word) => !theirs.has(word));
    return [
      ...(lacks ? [`${protocol} lacks ${place}`] : []),
      ...(adds ? [`${protocol} adds ${place}`] : []),
    ];
  });
}

const differences = new Set(PUBLISHED.flatMap(differencesOf));
const listed = exceptions.flatMap(({ difference, versions, places }) =>
  versions.flatMap((version) => places.map((place) => `${version} ${difference} ${place}`)),
);

describe("the key words of BCP 14, place by place,", () => {
  test("are those of the published schemas, except for the listed exceptions", () => {
    expect([...differences].filter((line) => !listed.includes(line)).sort()).toEqual([]);
  });

  test("have no unused and no duplicate exception", () => {
    expect(listed.filter((line) => !differences.has(line))).toEqual([]);
    expect(new Set(listed).size).toBe(listed.length);
  });

  test("are compared, which this test proves", () => {
    expect(keyWordsOf("It MUST only be sent when asked, and MAY\nbe dropped.")).toEqual([
      "MUST NOT",
      "MAY",
    ]);
    const places = new Set(PUBLISHED.flatMap((profile) => [...readKeyWords(profile).keys()]));
    expect(places.size).toBeGreaterThan(150);
  });
});
