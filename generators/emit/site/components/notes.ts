import type { Gate } from "../../../model/gate.js";
import { describeConstraints } from "../../../model/constraint-text.js";
import type { Field, Shape } from "../../../model/shape.js";
import type { StateChanges } from "../../../schema/json-schema/json.js";
import { codeSpan, inline, joined, phrase, type Inline } from "../../../output/markup.js";
import { gateSentence, isPlainGate } from "./gate-view.js";
import { valueText } from "./type-code.js";
import type { TypeLinks } from "../model/site.js";

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

/** Says what an update changes in the state of its session. */
export function stateNotes(state: StateChanges | undefined): readonly Inline[] {
  if (state === undefined) return [];
  const changes = (state.session ?? []).map(({ action, target, field, id }) => {
    const part = codeSpan(field === undefined ? target : `${target}.${field}`);
    return id === undefined
      ? phrase`${ACTIONS[action]} ${part}`
      : phrase`${ACTIONS[action]} ${part} by ${codeSpan(id)}`;
  });
  return [
    phrase`State of the session: ${changes.length === 0 ? "unchanged" : joined(changes, ", ")}.`,
  ];
}

const ACTIONS = {
  append: "appends to",
  upsert: "creates or patches",
  replace: "replaces",
  remove: "removes",
} as const;

/** Describes what restricts the values of a shape, and its annotations. */
export function constraintNotes(shape: Shape): readonly Inline[] {
  return describeConstraints(shape).map((parts) =>
    inline(...parts.map((part) => (typeof part === "string" ? part : codeSpan(part.code)))),
  );
}

/** How a lenient receiver repairs a value that a strict one refuses, as one sentence. */
export function decodeNotes(field: Field): readonly Inline[] {
  const acts = repairsOf(field).map(({ act }) => act);
  return acts.length === 0 ? [] : [phrase`Decoding: a lenient receiver ${joined(acts, ", and ")}.`];
}

/** The same in short: `invalid → absent`; empty for a property that is not repaired. */
export function lenientNote(field: Field): string {
  return repairsOf(field)
    .map(({ short }) => short)
    .join(", ");
}

/** A repair as part of a sentence, and in short. */
interface Repair {
  readonly act: Inline;
  readonly short: string;
}

function repairsOf(field: Field): readonly Repair[] {
  const { defaultOnError, defaultOnNull, skipInvalidItems } = field.decode;
  const [empty, brackets] = field.shape.kind === "map" ? ["map", "{}"] : ["list", "[]"];
  const dropped = inline("drops invalid items and keeps the others");
  const emptied = inline("reads ", codeSpan("null"), ` as the empty ${empty}`);
  return [
    ...(skipInvalidItems ? [{ act: dropped, short: "invalid items → dropped" }] : []),
    ...(defaultOnNull ? [{ act: emptied, short: `null → ${brackets}` }] : []),
    // No value is invalid where any is allowed.
    ...(defaultOnError && field.shape.kind !== "any" ? [replacement(field)] : []),
  ];
}

/** The replacement of an invalid value: the default, otherwise the empty list, otherwise absence. */
function replacement({ default: value, shape, nullable, decode }: Field): Repair {
  const isList = shape.kind === "list";
  const [wrong, cause] = !isList
    ? ["an invalid value", "invalid"]
    : decode.skipInvalidItems
      ? ["a value that is not a list", "not a list"]
      : ["a list with any invalid item", "invalid"];
  if (value !== undefined)
    return { act: inline(`takes the default for ${wrong}`), short: `${cause} → default` };
  return isList && !nullable
    ? { act: inline(`takes the empty list for ${wrong}`), short: `${cause} → []` }
    : { act: inline(`treats ${wrong} as absent`), short: `${cause} → absent` };
}
