import { findUnknownNames } from "../../check/check-names.js";
import type { Diagnostic } from "../rule.js";
import { placeName, schemaParts, pointerTo, type SourceIndex } from "../source-index.js";

/** Finds unknown names in `after` and `x-after`, even if every feature is on. */
export function* findUnknownPredecessors({ protocol }: SourceIndex): Generator<Diagnostic> {
  const features = [...protocol.features.values()];
  for (const { file, pointer, name, message, hint } of findUnknownNames(protocol, features))
    yield { file, pointer, subject: name, message, hint: hint ?? "Correct the name." };
}

/** Finds `x-after` where composition does not read it: anywhere but on a variant that a feature adds. */
export function* findMisplacedOrder(index: SourceIndex): Generator<Diagnostic> {
  for (const { of, schema, path } of schemaParts(index)) {
    const [keyword] = path;
    const isVariant = path.length === 2 && (keyword === "oneOf" || keyword === "anyOf");
    if (schema["x-after"] === undefined || (of.isAddition && isVariant)) continue;
    const subject = placeName(of, path);
    yield {
      file: of.file,
      pointer: pointerTo(of, [...path, "x-after"]),
      subject,
      message: `x-after has no effect on ${subject}`,
      hint: "Only variants that a feature adds can be placed; otherwise the order in the file counts.",
    };
  }
}
