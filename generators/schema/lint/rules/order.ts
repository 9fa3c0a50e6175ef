import { findUnknownNames } from "../../check/check-names.js";
import type { Objection } from "../rule.js";
import { nameOf, partsOf, pointerTo, type Stated } from "../source-index.js";

/** Finds methods and variants to stand behind that there are not, even if every feature is on. */
export function* findUnknownPredecessors({ protocol }: Stated): Generator<Objection> {
  const features = [...protocol.features.values()];
  for (const { file, pointer, name, message, hint } of findUnknownNames(protocol, features))
    yield { file, pointer, subject: name, message, hint: hint ?? "Correct the name." };
}

/** Finds `x-after` where composition does not read it: anywhere but on a variant that a feature adds. */
export function* findMisplacedOrder(stated: Stated): Generator<Objection> {
  for (const { of, schema, inside } of partsOf(stated)) {
    const [keyword] = inside;
    const isVariant = inside.length === 2 && (keyword === "oneOf" || keyword === "anyOf");
    if (schema["x-after"] === undefined || (of.isAddition && isVariant)) continue;
    const subject = nameOf(of, inside);
    yield {
      file: of.file,
      pointer: pointerTo(of, [...inside, "x-after"]),
      subject,
      message: `x-after has no effect on ${subject}`,
      hint: "Only variants that a feature adds have a place to choose; elsewhere the order in the file counts.",
    };
  }
}
