import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { ROOT } from "../support/paths.js";
import { goTest, temporaryFolder } from "./go-test.js";
import { MODULE, runGo } from "./toolchain.js";

const folder = temporaryFolder();

goTest(
  "values in Go are sent as they were received or made, or refused",
  () => {
    const file = join(folder, "values_test.go");
    writeFileSync(file, readFileSync(join(ROOT, "test/go/values_test.go.txt")));
    const overlay = join(folder, "overlay.json");
    const place = join(MODULE, "acpv1/values_test.go");
    writeFileSync(overlay, JSON.stringify({ Replace: { [place]: file } }));
    // The race detector needs everything to be built for it.
    const race = IS_DEEP ? ["-race"] : [];
    const { code, out } = runGo(["test", "-vet=off", ...race, "-overlay", overlay, "./acpv1"]);
    expect(out).toMatch(/^ok /);
    expect(code).toBe(0);
  },
  300_000,
);
