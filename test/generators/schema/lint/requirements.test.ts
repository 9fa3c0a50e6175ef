import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../../../generators/schema/json-schema/json.js";
import { variantName } from "../../../../generators/schema/json-schema/variants.js";
import { publishSchema } from "../../../../generators/schema/compose/publish.js";
import { ROOT } from "../../../support/paths.js";
import { composed, sources } from "../canonical.js";

/** The key words of BCP 14, longest first. */
const KEYWORDS =
  /\b(?:MUST NOT|MUST|SHALL NOT|SHALL|SHOULD NOT|SHOULD|MAY|REQUIRED|NOT RECOMMENDED|RECOMMENDED|OPTIONAL)\b/g;

/** The published schemas, with the profile that follows each. */
const PUBLISHED = [
  { profile: "v1", file: "v1/schema.json" },
  { profile: "v1-unstable", file: "v1/schema.unstable.json" },
  { profile: "v2", file: "v2/schema.json" },
  { profile: "v2-unstable", file: "v2/schema.unstable.json" },
] as const;

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

/** Collects the descriptions of a schema by place: `Plan.entries`, `ToolKind/read`. Envelopes repeat those of methods. */
function textsOf({ $defs = {} }: JsonSchema): Map<string, string> {
  const texts = new Map<string, string>();
  const collect = (schema: JsonSchema, place: string): void => {
    if (schema.description !== undefined) texts.set(place, schema.description);
    for (const [name, property] of Object.entries(schema.properties ?? {}))
      collect(property, `${place}.${name}`);
    for (const variants of [schema.anyOf, schema.oneOf])
      variants?.forEach((variant, index) =>
        collect(variant, `${place}/${variantName(variant) || index}`),
      );
    if (schema.items !== undefined) collect(schema.items, `${place}/items`);
    if (typeof schema.additionalProperties === "object")
      collect(schema.additionalProperties, `${place}/additionalProperties`);
  };
  for (const [name, schema] of Object.entries($defs))
    if (!schema["x-docs-ignore"]) collect(schema, name);
  return texts;
}

/** Counts the key words of a text. "MUST only … when" and "MUST NOT … unless" are the same. */
function keywordsOf(text = ""): Map<string, number> {
  const plain = text.replaceAll(/\s+/g, " ").replaceAll(/\b(MUST|SHOULD) only\b/g, "$1 NOT");
  const counts = new Map<string, number>();
  for (const [word] of plain.matchAll(KEYWORDS)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Lists the differences of a profile from the published schema, one line a place and kind. */
function differencesOf({ profile, file }: (typeof PUBLISHED)[number]): string[] {
  const path = join(ROOT, "node_modules/@agentclientprotocol/sdk/schema", file);
  const published = textsOf(JSON.parse(readFileSync(path, "utf8")) as JsonSchema);
  const { protocol, features } = sources.profiles.get(profile)!;
  const own = textsOf(publishSchema(composed(protocol, features)));
  return [...new Set([...published.keys(), ...own.keys()])].flatMap((place) => {
    const [theirs, ours] = [keywordsOf(published.get(place)), keywordsOf(own.get(place))];
    const lacks = [...theirs].some(([word, count]) => (ours.get(word) ?? 0) < count);
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
    expect(keywordsOf("It MUST only be sent when asked, and MAY\nbe dropped.")).toEqual(
      new Map([
        ["MUST NOT", 1],
        ["MAY", 1],
      ]),
    );
    const places = new Map<string, string>();
    for (const { file } of PUBLISHED)
      for (const [place, text] of textsOf(
        JSON.parse(
          readFileSync(join(ROOT, "node_modules/@agentclientprotocol/sdk/schema", file), "utf8"),
        ) as JsonSchema,
      ))
        if (keywordsOf(text).size > 0) places.set(place, text);
    expect(places.size).toBeGreaterThan(150);
  });
});
