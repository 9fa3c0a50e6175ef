import { test } from "vitest";
import { IS_DEEP } from "../support/deep.js";
import { DRIVERS } from "./drivers.js";
import { playAll } from "./play.js";

test("random conversations in TypeScript keep the rules", { timeout: 3_600_000 }, async () => {
  const driver = DRIVERS.typescript();
  try {
    await playAll(driver, "typescript", IS_DEEP ? 20_000 : 500);
  } finally {
    driver.stop();
  }
});
