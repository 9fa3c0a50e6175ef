import { expect } from "vitest";
import { FAULTS } from "../interop/faults/faults.js";
import { pythonTest } from "./run-python.js";

pythonTest.each(FAULTS)("$id, $fault: $asked", { timeout: 240_000 }, async (fault) => {
  const { figure, mistakes } = await fault.run("python");
  expect(mistakes, figure).toEqual([]);
});
