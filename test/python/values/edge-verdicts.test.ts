import { expect } from "vitest";
import { EDGE_VERDICTS, verdictRequests, verdictsIn } from "../../support/edge-verdicts.js";
import { pythonTest, runPython } from "../run-python.js";

pythonTest("Python gives the verdicts at the edges of definitions", () => {
  const codec = ["test/generators/tools/conformance/python-codec.py"];
  const { code, out } = runPython(codec, verdictRequests(EDGE_VERDICTS));
  expect(code).toBe(0);
  expect(verdictsIn(out)).toEqual(EDGE_VERDICTS.map(({ isValid }) => isValid));
});
