import { expect } from "vitest";
import { createSamples } from "../../../generators/model/sample/sample.js";
import { loadProfile } from "../../generators/emit/site/small-site.js";
import { FUZZ, IS_DEEP, SEED } from "../../support/deep.js";
import { toolsTest, runPython } from "../run-python.js";

const EXAMPLES = Number(FUZZ ?? (IS_DEEP ? "20000" : "300"));

/** How many values one process tries, so that it ends in time on a busy machine. */
const PART = 5_000;

toolsTest.each(["v1-full", "v2-full"])(
  "Python and TypeScript agree on the values that hypothesis generates, decoded and validated: %s",
  (profile) => {
    const protocol = loadProfile(profile);
    const { typical, full } = createSamples(protocol);
    const samples = Object.fromEntries(
      protocol.definitions.map(({ name }) => [name, [typical(name), full(name)]]),
    );
    let total = 0;
    for (let part = 0; part * PART < EXAMPLES; part++) {
      const seed = `${Number(SEED) + part}`;
      const { out, err, code } = runPython(
        [
          "test/python/programs/fuzz.py",
          profile,
          `${Math.min(PART, EXAMPLES - part * PART)}`,
          seed,
        ],
        JSON.stringify(samples),
      );
      expect(err, `SEED=${seed}`).toBe("");
      expect(code).toBe(0);
      const { compared, differences } = JSON.parse(out) as Report;
      expect(differences, `SEED=${seed}`).toEqual([]);
      total += compared;
    }
    console.info(`fuzz: ${total} values (SEED=${SEED})`);
    expect(total).toBeGreaterThanOrEqual(EXAMPLES / 2);
  },
  FUZZ === undefined ? 1_200_000 : 7_200_000,
);

interface Report {
  readonly compared: number;
  readonly differences: readonly unknown[];
}
