import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../../../generators/schema/json-schema/json.js";
import { ROOT } from "../../support/paths.js";
import { createComplete, createFits } from "../values/complete.js";
import { flaggedProperties, type FlaggedProperty } from "./flagged.js";
import { createOracle } from "./lenient-oracle.js";
import { loadBindings } from "../samples/profiles.js";
import { loadSdk, type Sdk } from "../samples/sdk.js";

/** Returns the schema of the SDK for a profile. */
function readSchema(profile: string): JsonSchema {
  const [version, surface] = profile.split("-");
  const file = surface === undefined ? "schema.json" : "schema.unstable.json";
  const folder = join(ROOT, "node_modules/@agentclientprotocol/sdk/schema", version!);
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as JsonSchema;
}

function keyOf({ definition, variant, name, base }: FlaggedProperty): string {
  return `${definition}${variant}.${name} of ${JSON.stringify(base)}`;
}

/** What the feature `nes_ide_actions` adds, which the SDK's snapshot does not know. */
const IDE_ACTIONS = ["rename", "searchAndReplace", "other"].flatMap((action) =>
  ["undefined", "null", "true", '"no such value"', "7", "[]"].map(
    (value) => `NesSuggestion/action/${action}._meta = ${value}`,
  ),
);

describe.each([
  { profile: "v1", sdk: "v1", unknown: [] },
  { profile: "v1-unstable", sdk: "v1-unstable", unknown: [] },
  { profile: "v2", sdk: "v2", unknown: [] },
  { profile: "v2-unstable", sdk: "v2-unstable", unknown: [] },
  { profile: "v1-full", sdk: "nes", unknown: IDE_ACTIONS },
] as const)("the flagged properties of $profile", async ({ profile, sdk, unknown }) => {
  const { bundle, decode } = await loadBindings(profile);
  const official = await loadSdk(sdk);
  const fits = createFits(bundle);
  const published = readSchema(sdk === "nes" ? "v1-unstable" : sdk);
  const keys = new Set(flaggedProperties(published).map(keyOf));
  const { inputs } = createOracle(bundle, fits, createComplete(bundle, fits));

  it("decode as the official SDK decodes them, unless that breaks the schema", () => {
    const rows = flaggedProperties(bundle).filter(
      (row) => official.has(row.definition) && isPublished(row),
    );
    expect(rows.length).toBeGreaterThan(50);
    const differing = rows.flatMap((property) => {
      const { definition, variant, name } = property;
      return inputs(property).flatMap(({ value }) => {
        const mine = decode(definition, value);
        const theirs = official.decode(definition, value);
        if (mine.ok ? theirs.ok && isDeepStrictEqual(mine.value, theirs.value) : !theirs.ok)
          return [];
        if (breaksSchema(definition, value, { isRefused: !mine.ok, theirs })) return [];
        return [`${definition}${variant}.${name} = ${JSON.stringify(value[name])}`];
      });
    });
    expect(differing).toEqual(unknown);
  });

  /** Returns whether the release that the SDK follows has a property in the same form. */
  function isPublished(row: FlaggedProperty): boolean {
    // Its schemas lack NES, which it keeps as a snapshot.
    return published.$defs![row.definition] === undefined || keys.has(keyOf(row));
  }

  /** Checks for a repair of what is valid as it stands, and for a result that is invalid, which we refuse. */
  function breaksSchema(
    definition: string,
    value: Json,
    {
      isRefused,
      theirs,
    }: { readonly isRefused: boolean; readonly theirs: ReturnType<Sdk["decode"]> },
  ): boolean {
    const isValid = (result: unknown): boolean => fits(`/$defs/${definition}`, result as Json);
    return theirs.ok && (isValid(value) || (isRefused && !isValid(theirs.value)));
  }
});
