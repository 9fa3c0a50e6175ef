import { expect } from "vitest";
import { FAULTS } from "../interop/faults/faults.js";
import { IS_DEEP } from "../support/deep.js";
import { pythonTest } from "./run-python.js";

/** A quick run tries a third of them, since each starts processes of its own. */
const tried = FAULTS.filter((_, index) => IS_DEEP || index % 3 === 0);

pythonTest.each(tried)("$id, $fault: $asked", { timeout: 240_000 }, async (fault) => {
  const { figure, mistakes } = await fault.run("python");
  expect(mistakes, figure).toEqual([]);
});
