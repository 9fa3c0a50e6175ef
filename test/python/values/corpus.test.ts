import { expect } from "vitest";
import { runCommand } from "../../generators/cli/run-command.js";
import { IS_DEEP } from "../../support/deep.js";
import { PYTHON_VARIABLES } from "../python-env.js";
import { pythonTest } from "../run-python.js";

const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"];

/** The others have parts of the two full ones. */
const tried = PROFILES.filter((name) => IS_DEEP || name.endsWith("full"));

pythonTest.each(tried)(
  "Python gives the verdict, value, notes and issues of TypeScript: %s",
  async (profile) => {
    const codec = ["python3", "test/generators/conformance/python-codec.py"];
    const every = IS_DEEP ? "1" : "61";
    const flags = ["--profile", profile, "--every", every, "--fail-on", "recommended"];
    const { code, out } = await runCommand(["conformance", "codec", ...flags, "--", ...codec], {
      env: PYTHON_VARIABLES,
    });
    expect(out).toMatch(/: \d{3,} cases, 0 differences in verdict or value, 0 in notes/);
    expect(code).toBe(0);
  },
  600_000,
);
