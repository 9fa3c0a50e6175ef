import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runGo, writeOverlay } from "../go/toolchain.js";
import { PYTHON, PYTHON_VARIABLES } from "../python/python-env.js";
import { ROOT } from "../support/paths.js";
import { Driver } from "./play.js";

/** The drivers of the languages. */
export const DRIVERS = {
  typescript: () => new Driver(() => ["node", "--no-warnings", "test/simulation/drive.mjs"]),
  python: () =>
    new Driver(
      () => [PYTHON, "test/simulation/drive.py"],
      {
        ...PYTHON_VARIABLES,
        PYTHONPATH: [PYTHON_VARIABLES.PYTHONPATH, join(ROOT, "test/python/runtime")].join(
          delimiter,
        ),
      },
      true,
    ),
  // The timers of the module's version of Go cannot be virtual.
  go: () =>
    new Driver(
      (version) => [buildGo(version), "-test.run=TestDrive", "-test.timeout=0"],
      { GODEBUG: "asynctimerchan=0", GOMAXPROCS: "1" },
      true,
    ),
};

/** Builds the driver of a version in Go, a test that only the overlay of the build has. */
function buildGo(version: 1 | 2): string {
  const folder = join(ROOT, `node_modules/.cache/acp-simulation/v${version}`);
  mkdirSync(folder, { recursive: true });
  const names = ["drive_test.go", `drive_v${version}_test.go`];
  const texts = names.map((name) =>
    readFileSync(join(ROOT, `test/simulation/${name}.txt`), "utf8"),
  );
  const files = Object.fromEntries(
    names.map((name, at) => [
      `acpv${version}/${name}`,
      texts[at]!.replaceAll("acpv1", `acpv${version}`),
    ]),
  );
  const overlay = writeOverlay(folder, files);
  const program = join(folder, "drive");
  const args = ["test", "-c", "-overlay", overlay, "-o", program, `./acpv${version}`];
  const { code, err } = runGo(args);
  if (code !== 0) throw new Error(err);
  return program;
}
