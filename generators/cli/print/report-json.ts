import { displayPath } from "../../run/messages.js";
import type { GenerateResult } from "../../run/generate/generate-result.js";
import type { OmittedTexts } from "../../run/options.js";
import { isStale, printContrasts, printWaiting, type Reporter } from "./report.js";
import type { Terminal } from "../terminal.js";

/** Reports to programs: one JSON document on standard output, with an entry for each output. */
export function createJsonReporter({ writeOut, writeErr }: Terminal): Reporter {
  const outputs: object[] = [];
  let omitted: { readonly omitted?: OmittedTexts } = {};
  const report = (output: object): void => {
    outputs.push({ ...output, ...omitted });
    omitted = {};
  };
  return {
    step: (step) => {
      if (step.kind === "waiting") writeErr(printWaiting(step));
      if (step.kind === "contrast") writeErr(printContrasts(step.found));
      if (step.kind !== "omitted") return;
      const { kind: _, ...texts } = step;
      omitted = { omitted: texts };
    },
    written: (result, seconds) => report({ ...summary(result), seconds }),
    planned: (result) => report(summary(result)),
    drift: async (result, command) => {
      report({ upToDate: !isStale(result), ...summary(result), command });
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
  edited,
}: GenerateResult): object {
  return {
    out: displayPath(out),
    missing: write.filter(({ exists }) => !exists).map(({ file }) => file.path),
    changed: write.filter(({ exists }) => exists).map(({ file }) => file.path),
    extra: remove,
    left,
    causes,
    edited,
    foreign,
    unchanged,
    interrupted,
  };
}
