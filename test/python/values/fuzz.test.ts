import { expect } from "vitest";
import { createSamples } from "../../../generators/model/sample/sample.js";
import { loadProfile } from "../../generators/emit/site/small-site.js";
import { FUZZ, IS_DEEP, SEED } from "../../support/deep.js";
import { toolsTest, runPython } from "../run-python.js";

const EXAMPLES = FUZZ ?? (IS_DEEP ? "20000" : "300");

toolsTest.each(["v1-full", "v2-full"])(
  "Python and TypeScript agree on the values that hypothesis generates, decoded and validated: %s",
  (profile) => {
    const protocol = loadProfile(profile);
    const { typical, full } = createSamples(protocol);
    const samples = Object.fromEntries(
      protocol.definitions.map(({ name }) => [name, [typical(name), full(name)]]),
    );
    const program = "test/python/programs/fuzz.py";
    const { out, err, code } = runPython(
      [program, profile, EXAMPLES, SEED],
      JSON.stringify(samples),
    );
    expect(err, `SEED=${SEED}`).toBe("");
    expect(code).toBe(0);
    const { compared, differences } = JSON.parse(out) as Report;
    console.info(`fuzz: ${compared} values (SEED=${SEED})`);
    expect(differences, `SEED=${SEED}`).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(Number(EXAMPLES) / 2);
  },
  1_200_000,
);

interface Report {
  readonly compared: number;
  readonly differences: readonly unknown[];
}
