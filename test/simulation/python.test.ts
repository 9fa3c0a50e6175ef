import { IS_DEEP } from "../support/deep.js";
import { pythonTest } from "../python/run-python.js";
import { DRIVERS } from "./drivers.js";
import { playAll } from "./play.js";

pythonTest("random conversations in Python keep the rules", { timeout: 3_600_000 }, async () => {
  const driver = DRIVERS.python();
  try {
    await playAll(driver, "python", IS_DEEP ? 2000 : 60);
  } finally {
    driver.stop();
  }
});
