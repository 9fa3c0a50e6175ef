import { leadsToItself } from "../../json-schema/references.js";
import type { Diagnostic } from "../rule.js";
import type { SourceIndex } from "../source-index.js";

/** Finds features that require themselves, directly or by others. */
export function* findCircles({ protocol }: SourceIndex): Generator<Diagnostic> {
  const { features } = protocol;
  for (const { file, name } of features.values())
    if (leadsToItself(name, (other) => features.get(other)?.requires ?? []))
      yield {
        file,
        pointer: "/requires",
        subject: name,
        message: `the feature "${name}" requires itself`,
        hint: "Remove one requirement of the circle.",
      };
}
