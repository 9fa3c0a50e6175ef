import type { Gate } from "../../../model/gate.js";
import { describeConstraints } from "../../../model/constraint-text.js";
import type { Field, Shape } from "../../../model/shape.js";
import { codeSpan, inline, joined, phrase, type Inline } from "../../../output/markup.js";
import { gateSentence, isPlainGate } from "./gate-view.js";
import { valueText } from "./type-code.js";
import type { TypeLinks } from "../site-types.js";

/** Notes on a property: default, limits, and a gate that is more than a capability. */
export function fieldNotes(field: Field, scope: TypeLinks): readonly Inline[] {
  return [
    ...(field.default === undefined
      ? []
      : [phrase`Default: ${codeSpan(valueText(field.default))}.`]),
    ...constraintNotes(field.shape),
    ...gateNotes(field.gate, scope),
  ];
}

/** What the rows of the variants of a property say about gates, in sentences. */
export function variantGateNotes({ variantGates }: Field, scope: TypeLinks): readonly Inline[] {
  return Object.entries(variantGates).map(([tag, gate]) =>
    inline("Variant ", codeSpan(tag), " in this place: ", gateSentence(gate, scope)),
  );
}

/** Describes a gate that is more than a capability. */
export function gateNotes(gate: Gate | undefined, scope: TypeLinks): readonly Inline[] {
  return gate === undefined || isPlainGate(gate) ? [] : [gateSentence(gate, scope)];
}

/** Describes what restricts the values of a shape, and its annotations. */
export function constraintNotes(shape: Shape): readonly Inline[] {
  return describeConstraints(shape).map((parts) =>
    inline(...parts.map((part) => (typeof part === "string" ? part : codeSpan(part.code)))),
  );
}

/**
 * Describes how a lenient receiver repairs a value that a strict one refuses, as one
 * sentence.
 */
export function decodeNotes(field: Field): readonly Inline[] {
  const { defaultOnError, defaultOnNull, skipInvalidItems } = field.decode;
  const acts = [
    ...(skipInvalidItems ? [inline("drops invalid items and keeps the others")] : []),
    ...(defaultOnNull
      ? [inline("reads ", codeSpan("null"), ` as the empty ${isMap(field) ? "map" : "list"}`)]
      : []),
    // No value is invalid where any is allowed.
    ...(defaultOnError && field.shape.kind !== "any" ? [inline(fallback(field))] : []),
  ];
  if (acts.length === 0) return [];
  return [phrase`Decoding: a lenient receiver ${joined(acts, ", and ")}.`];
}

/** The same in short: `invalid → absent`; empty for a property that is not repaired. */
export function lenientNote(field: Field): string {
  const { defaultOnError, defaultOnNull, skipInvalidItems } = field.decode;
  const { shape, nullable, default: value } = field;
  const empty = isMap(field) ? "{}" : "[]";
  const isList = shape.kind === "list";
  const replaced = value !== undefined ? "default" : isList && !nullable ? empty : "absent";
  return [
    ...(skipInvalidItems ? ["invalid items → dropped"] : []),
    ...(defaultOnNull ? [`null → ${empty}`] : []),
    ...(defaultOnError && shape.kind !== "any"
      ? [`${isList && skipInvalidItems ? "not a list" : "invalid"} → ${replaced}`]
      : []),
  ].join(", ");
}

/** The replacement of an invalid value: the default, otherwise the empty list, otherwise absence. */
function fallback({ default: value, shape, nullable, decode }: Field): string {
  const wrong =
    shape.kind !== "list"
      ? "an invalid value"
      : decode.skipInvalidItems
        ? "a value that is not a list"
        : "a list with any invalid item";
  if (value !== undefined) return `takes the default for ${wrong}`;
  return shape.kind === "list" && !nullable
    ? `takes the empty list for ${wrong}`
    : `treats ${wrong} as absent`;
}

function isMap({ shape }: Field): boolean {
  return shape.kind === "map";
}
