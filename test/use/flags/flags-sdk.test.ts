import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { createComplete, createFits } from "../values/complete.js";
import { flaggedProperties } from "./flagged.js";
import { createOracle } from "./lenient-oracle.js";
import { loadBindings } from "../samples/profiles.js";
import { loadSdk } from "../samples/sdk.js";

/** Values of flagged properties of which the official SDK makes something else than we do. */
interface Difference {
  readonly row: string;
  readonly values: readonly string[];
  readonly reason: string;
}

const UNKNOWN_KEPT =
  "a terminal method with a value that cannot be repaired reads as an agent's: we keep what that does not describe, the SDK strips it";
const EMPTIED =
  "the list must not be empty: we refuse what would leave it so, the SDK makes it empty all the same";
const VALID_KEPT =
  "the value is valid as it stands by the union's last variant, any value: we keep it, the SDK repairs it to fit the first";

const V1: readonly Difference[] = [
  {
    row: "AuthMethod/terminal.args",
    values: [
      "true",
      '"no such value"',
      "7",
      "{}",
      '["made",true,"made",true]',
      '["made",7,"made",7]',
      '["made",[],"made",[]]',
      '["made",{},"made",{}]',
      "[true,true]",
    ],
    reason: UNKNOWN_KEPT,
  },
  {
    row: "AuthMethod/terminal.env",
    values: ["true", '"no such value"', "7", "[]"],
    reason: UNKNOWN_KEPT,
  },
];
const V2: readonly Difference[] = [
  {
    row: "SessionConfigSelectGroup.options",
    values: ["null", "true", '"no such value"', "7", "{}", "[true,true]"],
    reason: EMPTIED,
  },
  ...["UnsupportedProtocolVersion", "SessionNotFound"].map((variant) => ({
    row: `ErrorData/${variant}._meta`,
    values: ["true", '"no such value"', "7", "[]"],
    reason: VALID_KEPT,
  })),
];

const IDE_ACTIONS = "the SDK's snapshot does not know what the feature `nes_ide_actions` adds";
const NES: readonly Difference[] = [
  { row: "ClientNesCapabilities.ideActions", values: ["null"], reason: IDE_ACTIONS },
  ...["rename", "searchAndReplace", "other"].map((action) => ({
    row: `NesSuggestion/action/${action}._meta`,
    values: ["undefined", "null", "true", '"no such value"', "7", "[]"],
    reason: IDE_ACTIONS,
  })),
];

describe.each([
  { profile: "v1", sdk: "v1", differences: V1 },
  { profile: "v1-unstable", sdk: "v1-unstable", differences: V1 },
  { profile: "v2", sdk: "v2", differences: V2 },
  { profile: "v2-unstable", sdk: "v2-unstable", differences: V2 },
  { profile: "v1-full", sdk: "nes", differences: NES },
] as const)("the flagged properties of $profile", async ({ profile, sdk, differences }) => {
  const { bundle, decode } = await loadBindings(profile);
  const official = await loadSdk(sdk);
  const fits = createFits(bundle);
  const { inputs } = createOracle(bundle, fits, createComplete(bundle, fits));

  it("decode as the official SDK decodes them, except for the listed values", () => {
    const rows = flaggedProperties(bundle).filter(({ definition }) => official.has(definition));
    expect(rows.length).toBeGreaterThan(50);
    const differing = rows.flatMap((property) => {
      const { definition, variant, name } = property;
      return inputs(property).flatMap(({ value }) => {
        const mine = decode(definition, value);
        const theirs = official.decode(definition, value);
        if (mine.ok ? theirs.ok && isDeepStrictEqual(mine.value, theirs.value) : !theirs.ok)
          return [];
        return [`${definition}${variant}.${name} = ${JSON.stringify(value[name])}`];
      });
    });
    const listed = differences.flatMap(({ row, values }) =>
      values.map((value) => `${row} = ${value}`),
    );
    expect(differing).toEqual(listed);
  });
});
