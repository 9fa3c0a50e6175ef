import { spawnSync } from "node:child_process";
import { test } from "vitest";
import { isSkipped } from "../go/go-test.js";
import { IS_DEEP } from "../support/deep.js";
import { DRIVERS } from "./drivers.js";
import { playAll } from "./play.js";

/** Older versions cannot let time pass. */
const isOld = /go1\.(1\d|2[0-4])\b/.test(spawnSync("go", ["version"], { encoding: "utf8" }).stdout);
if (isOld) console.log("skipped the random conversations in Go, which need Go 1.25");

test.skipIf(isSkipped || isOld)(
  "random conversations in Go keep the rules",
  { timeout: 3_600_000 },
  async () => {
    const driver = DRIVERS.go();
    try {
      await playAll(driver, "go", IS_DEEP ? 10_000 : 300);
    } finally {
      driver.stop();
    }
  },
);
