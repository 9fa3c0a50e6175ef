import type { Diagnostic } from "../rule.js";
import { pointerTo, type SourceIndex } from "../source-index.js";

/** Finds methods without an example, and examples of requests without a result. */
export function* findMissingExamples({ methods }: SourceIndex): Generator<Diagnostic> {
  for (const { file, path, method } of methods) {
    const { name: subject, kind, examples } = method;
    if (examples.length === 0)
      yield {
        file,
        pointer: pointerTo({ path }, ["examples"]),
        subject,
        message: `the method ${subject} has no example`,
        hint: "Show the message as it is usually sent.",
      };
    for (const [index, { title, result }] of examples.entries())
      if (kind === "request" && result === undefined)
        yield {
          file,
          pointer: pointerTo({ path }, ["examples", index]),
          subject,
          message: `the example "${title}" of ${subject} has no result`,
          hint: "Show what it is answered with.",
        };
  }
}
