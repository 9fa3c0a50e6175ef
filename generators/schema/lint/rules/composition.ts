import { checkExamples } from "../../check/check-examples.js";
import { compose } from "../../compose.js";
import { InputError, type Problem } from "../../problem.js";
import type { ProtocolSource } from "../../source/sources.js";
import type { Diagnostic } from "../rule.js";
import type { SourceIndex } from "../source-index.js";

/**
 * Composes the base alone and with all features, and reports the problems: clashes, dangling
 * references, invalid defaults and examples. Other rules find the gaps of a single feature.
 */
export function* findCompositionProblems({ protocol }: SourceIndex): Generator<Diagnostic> {
  yield* diagnosticsOf(protocol, problemsOf(protocol, []));
  yield* diagnosticsOf(protocol, problemsOf(protocol, [...protocol.features.keys()]));
}

function* diagnosticsOf(
  { name, file }: ProtocolSource,
  problems: readonly Problem[],
): Generator<Diagnostic> {
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
