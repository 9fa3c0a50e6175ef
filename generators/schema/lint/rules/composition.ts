import { checkExamples } from "../../check/check-examples.js";
import { compose } from "../../compose/compose.js";
import { InputError, type Problem } from "../../problem.js";
import type { ProtocolSource } from "../../source/sources.js";
import type { Objection } from "../rule.js";
import type { Stated } from "../source-index.js";

/**
 * Finds what keeps the base, and all features together, from being composed:
 * clashes, references to nothing, defaults and examples that do not fit. What
 * only a single feature lacks, other rules find sooner.
 */
export function* findCompositionProblems({ protocol }: Stated): Generator<Objection> {
  yield* told(protocol, problemsOf(protocol, []));
  yield* told(protocol, problemsOf(protocol, [...protocol.features.keys()]));
}

function* told({ name, file }: ProtocolSource, problems: readonly Problem[]): Generator<Objection> {
  for (const problem of problems)
    yield {
      file: problem.file ?? file,
      pointer: problem.pointer ?? "",
      subject: name,
      message: problem.message,
      hint: problem.hint ?? "Correct it.",
    };
}

function problemsOf(protocol: ProtocolSource, features: readonly string[]): readonly Problem[] {
  try {
    return checkExamples(compose(protocol, features), features);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}
