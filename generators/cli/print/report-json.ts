import { displayPath } from "../../run/messages.js";
import type { GenerateResult } from "../../run/generate/generate-result.js";
import { isStale, printWaiting, type Reporter } from "./report.js";
import type { Terminal } from "../terminal.js";

/** Reports to programs: one JSON document on standard output, with an entry for each output. */
export function createJsonReporter({ writeOut, writeErr }: Terminal): Reporter {
  const outputs: object[] = [];
  return {
    step: (step) => step.kind === "waiting" && writeErr(printWaiting(step)),
    written: (result, seconds) => outputs.push({ ...summary(result), seconds }),
    planned: (result) => outputs.push(summary(result)),
    drift: async (result, command) => {
      outputs.push({ upToDate: !isStale(result), ...summary(result), command });
    },
    finish: () => writeOut(JSON.stringify({ outputs }, null, 2)),
  };
}

function summary({
  out,
  write,
  remove,
  left,
  unchanged,
  interrupted,
  foreign,
  causes,
}: GenerateResult): object {
  return {
    out: displayPath(out),
    missing: write.filter(({ exists }) => !exists).map(({ file }) => file.path),
    changed: write.filter(({ exists }) => exists).map(({ file }) => file.path),
    extra: remove,
    left,
    causes,
    foreign,
    unchanged,
    interrupted,
  };
}
