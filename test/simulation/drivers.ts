import { mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runGo, writeOverlay } from "../go/toolchain.js";
import { PYTHON, PYTHON_VARIABLES } from "../python/python-env.js";
import { ROOT } from "../support/paths.js";
import { Driver } from "./play.js";

/** The drivers of the languages. */
export const DRIVERS = {
  typescript: () => new Driver(["node", "--no-warnings", "test/simulation/drive.mjs"]),
  python: () =>
    new Driver([PYTHON, "test/simulation/drive.py"], {
      ...PYTHON_VARIABLES,
      PYTHONPATH: [PYTHON_VARIABLES.PYTHONPATH, join(ROOT, "test/python/runtime")].join(delimiter),
    }),
  // The timers of the module's version of Go cannot be virtual.
  go: () =>
    new Driver([buildGo(), "-test.run=TestDrive", "-test.timeout=0"], {
      GODEBUG: "asynctimerchan=0",
      GOMAXPROCS: "1",
    }),
};

/** Builds the driver in Go, a test that only the overlay of the build has. */
function buildGo(): string {
  const folder = join(ROOT, "node_modules/.cache/acp-simulation");
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(ROOT, "test/simulation/drive_test.go.txt"), "utf8");
  const overlay = writeOverlay(folder, { "acpv1/drive_test.go": text });
  const program = join(folder, "drive");
  const args = ["test", "-c", "-overlay", overlay, "-o", program, "./acpv1"];
  const { code, err } = runGo(args);
  if (code !== 0) throw new Error(err);
  return program;
}
