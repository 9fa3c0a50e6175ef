import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { goTest } from "./go-test.js";
import { runGo, writeOverlay } from "./toolchain.js";

const folder = temporaryFolder();

/** The packages whose documentation has examples. */
const EXEMPLARY = ["./acp", "./acptest", "./acpv1", "./remote", "./sessions"];

goTest(
  "the examples of the documentation print what they say",
  () => {
    const { code, out } = runGo(["test", "-vet=off", "-run", "Example", ...EXEMPLARY]);
    expect(out.match(/^ok /gm)).toHaveLength(EXEMPLARY.length);
    expect(code).toBe(0);
  },
  300_000,
);

goTest.each([
  ["values in Go are sent as they were received or made, or refused", "acpv1", ["values_test"]],
  ["fakes of each side play turns, and a tap gives lines", "acptest", ["acptest_test"]],
  [
    "a connection in Go remembers sessions in use, and forgets closed ones",
    "internal/role",
    ["sessions_test"],
  ],
  [
    "connections keep their order, their limits and their ends, and leave no goroutines",
    "acpv1",
    ["connections_test", "in_time_test", "options_test", "launches_test", "elicitations_test"],
  ],
])(
  "%s",
  (_, location, names) => {
    const files = names.map((name) => [
      `${location}/${name}.go`,
      readFileSync(join(ROOT, `test/go/${name}.go.txt`), "utf8"),
    ]);
    const overlay = writeOverlay(folder, Object.fromEntries(files));
    // The race detector needs everything to be built for it.
    const race = IS_DEEP ? ["-race"] : [];
    const { code, out } = runGo([
      "test",
      "-vet=off",
      ...race,
      "-overlay",
      overlay,
      `./${location}`,
    ]);
    expect(out).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
