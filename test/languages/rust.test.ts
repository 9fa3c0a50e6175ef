import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { runCommand } from "../generators/cli/run-command.js";

const FOLDER = "test/languages/rust";
const CODEC = `${FOLDER}/target/debug/smallest-codec`;

const hasCargo = spawnSync("cargo", ["--version"]).status === 0;
if (!hasCargo) {
  if (process.env["CI"]) throw new Error("cargo is missing");
  console.log("skipped without cargo: the smallest language");
}

test.runIf(hasCargo)(
  "the language that others begin from compiles, and the corpus says what it lacks",
  async () => {
    const target = ["--target", `./${FOLDER}/target.mjs`, "--out", `${FOLDER}/generated`];
    await runCommand(["generate", "--profile", "v1", ...target]);
    const manifest = [
      "--manifest-path",
      `${FOLDER}/Cargo.toml`,
      "--target-dir",
      `${FOLDER}/target`,
    ];
    execFileSync("cargo", ["build", "--quiet", "--locked", ...manifest]);
    const cases = ["--profile", "v1", "--every", "31"];
    const { code, out } = await runCommand(["conformance", "codec", ...cases, "--", CODEC]);
    const [, compared, differences] = /v1, decode: (\d+) cases, (\d+) differences/.exec(out)!;
    expect(code).toBe(1);
    expect(Number(differences)).toBeLessThan(Number(compared) / 2);
  },
  600_000,
);
