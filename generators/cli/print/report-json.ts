import { OutputError } from "../../output/output-error.js";
import { formatProblem, InputError } from "../../schema/problem.js";
import type { GenerateResult } from "../../run/generate/generate.js";
import { displayPath, exitCodeOf, isStale, say, type Reporter } from "./report.js";

/** Tells programs: one JSON document on standard output, at the end, with an entry an output. */
export function createJsonReporter(): Reporter {
  const outputs: object[] = [];
  return {
    step: () => {},
    written: (result, seconds) => outputs.push({ ...summary(result), seconds }),
    planned: (result) => outputs.push(summary(result)),
    drift: async (result, command) => {
      outputs.push({ upToDate: !isStale(result), ...summary(result), command });
    },
    finish: () => sayJson({ outputs }),
  };
}

function summary({ out, write, remove, unchanged, interrupted }: GenerateResult): object {
  return {
    out: displayPath(out),
    missing: write.filter(({ exists }) => !exists).map(({ file }) => file.path),
    changed: write.filter(({ exists }) => exists).map(({ file }) => file.path),
    extra: remove,
    unchanged,
    interrupted,
  };
}

/**
 * An error as JSON.
 *
 * @returns the exit code
 */
export function reportErrorAsJson(error: unknown): number {
  const message = error instanceof Error ? error.message : String(error);
  const problems = error instanceof InputError ? error.problems : [{ message }];
  const kind =
    error instanceof InputError ? error.kind : error instanceof OutputError ? "disk" : "internal";
  sayJson({
    error: {
      kind,
      problems: problems.map((problem) => ({ ...problem, text: formatProblem(problem) })),
    },
  });
  return exitCodeOf(error);
}

function sayJson(value: object): void {
  say(JSON.stringify(value, null, 2));
}
