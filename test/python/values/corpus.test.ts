import { expect } from "vitest";
import { runCommand } from "../../generators/cli/run-command.js";
import { IS_DEEP } from "../../support/deep.js";
import { PYTHON_VARIABLES } from "../python-env.js";
import { pythonTest } from "../run-python.js";

const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"];

/** The others have parts of the two full ones. */
const tried = PROFILES.filter((name) => IS_DEEP || name.endsWith("full"));

/** Compares Python's codec and returns what the command prints. */
async function compare(profile: string, op: string, every: number): Promise<string> {
  const codec = ["python3", "test/generators/tools/conformance/python-codec.py"];
  const flags = ["--profile", profile, "--op", op, "--every", String(IS_DEEP ? 1 : every)];
  const { out } = await runCommand(["conformance", "codec", ...flags, "--all", "--", ...codec], {
    env: PYTHON_VARIABLES,
  });
  return out;
}

pythonTest.each(tried)(
  "Python gives the verdict, value, notes and issues of TypeScript: %s",
  async (profile) => {
    for (const op of ["decode", "validate"])
      expect(await compare(profile, op, op === "decode" ? 61 : 199)).toMatch(
        /^\S+ \w+: \d{3,} cases, 0 differences in verdict or value, 0 in notes or issues only\n$/,
      );
  },
  600_000,
);

pythonTest.each(tried)(
  "Python sends what TypeScript sends, but for numbers that JSON does not have: %s",
  async (profile) => {
    expect(await compare(profile, "encode", 199)).toMatch(
      /: \d{3,} cases, 0 differences in verdict or value, \d+ in notes or issues only\n(\d+ that the codec does not represent, which is allowed\n)?$/,
    );
  },
  600_000,
);
