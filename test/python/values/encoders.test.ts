import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { runCommand } from "../../generators/cli/run-command.js";
import { IS_DEEP } from "../../support/deep.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { PYTHON_VARIABLES } from "../python-env.js";
import { pythonTest } from "../run-python.js";

const folder = temporaryFolder();
const SEED = process.env["SEED"] ?? "1";

pythonTest.each(IS_DEEP ? ["v1-full", "v2-full"] : ["v2-full"])(
  "Python encodes, or refuses, values with random faults as their diagnosis says: %s",
  async (profile) => {
    const file = join(folder, `${profile}.json`);
    const every = IS_DEEP ? "2" : "61";
    const codec = ["python3", "test/python/programs/encoders.py"];
    const env = { ...PYTHON_VARIABLES, REPORT: file, SEED };
    await runCommand(
      ["conformance", "codec", "--profile", profile, "--every", every, "--", ...codec],
      {
        env,
      },
    );
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    expect(report.differences.slice(0, 3), `SEED=${SEED}`).toEqual([]);
    expect(report.checked).toBeGreaterThan(1000);
  },
  600_000,
);

interface Report {
  readonly checked: number;
  readonly differences: readonly unknown[];
}
