import type { CodecAnswer, Operation, CorpusReport } from "../../../emit/corpus/answer.js";
import type { CorpusCase } from "../../../emit/corpus/cases.js";
import { isHardToRepresent } from "../../../emit/corpus/representation.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import { parsePointer } from "../../../schema/problem.js";
import { hasPlace, valueDifferences, type ValueDifference } from "./value-differences.js";

/** The kinds of differences; of several in one case, the first counts. The last two are recommended. */
export const KINDS = [
  "accepts text that is not JSON",
  "refuses text that is JSON",
  "refuses an unknown tag or value",
  "refuses what is repairable",
  "refuses a valid value",
  "accepts an invalid value",
  "answers without a verdict",
  "answers without a value",
  "puts the value into a string",
  "drops or changes an unknown tag or value",
  "changes what it cannot represent",
  "repairs to another value",
  "drops an unknown property",
  "loses a property",
  "loses null",
  "loses an empty list or object",
  "loses _meta",
  "leaves out a default",
  "loses or adds an item",
  "changes a value",
  "adds a property",
  "notes differ",
  "issues differ",
] as const;

export type Kind = (typeof KINDS)[number];

/** A kind, and where the value differs. */
export interface Classified {
  readonly kind: Kind;
  /** JSON pointer to the place in the value, for kinds of values. */
  readonly pointer?: string;
}

/** An answer that differs from the expected one in verdict or value. */
export interface Differing {
  readonly op: Operation;
  readonly one: CorpusCase;
  readonly expected: CodecAnswer;
  readonly found: JsonObject;
}

/**
 * Classifies an answer that differs in verdict or value.
 *
 * @param declared the names of all properties that the profile declares
 */
export function classifyAnswer(differing: Differing, declared: ReadonlySet<string>): Classified {
  const { op, one, expected, found } = differing;
  if (found["verdict"] !== expected.verdict)
    return { kind: verdictKind(expected, found["verdict"]) };
  if (!Object.hasOwn(found, "value")) return { kind: "answers without a value" };
  const { value } = found;
  if (typeof value === "string" && typeof expected.value === "object" && expected.value !== null)
    return { kind: "puts the value into a string" };
  const differences = valueDifferences(expected.value, value);
  const notes = expected.notes ?? [];
  const unknown = differences.find((difference) => isOfUnknown(difference, notes));
  if (unknown !== undefined)
    return { kind: "drops or changes an unknown tag or value", pointer: unknown.pointer };
  const hard = one.class === undefined ? undefined : differences.find(isOfHard);
  if (hard !== undefined)
    return { kind: "changes what it cannot represent", pointer: hard.pointer };
  if (notes.some(([, rule]) => !KEPT.has(rule)))
    return { kind: "repairs to another value", pointer: differences[0]!.pointer };
  const input: unknown = op === "decode" ? JSON.parse(one.input) : expected.value;
  return differences
    .map((difference) => ({
      kind: valueKind(difference, input, declared),
      pointer: difference.pointer,
    }))
    .reduce((first, next) => (KINDS.indexOf(next.kind) < KINDS.indexOf(first.kind) ? next : first));
}

/** The rules of notes about what a decode keeps, without a repair. */
const KEPT: ReadonlySet<string> = new Set(["unknown", "unsafe-integer"]);

function verdictKind({ verdict, notes = [] }: CodecAnswer, found: unknown): Kind {
  if (found !== "ok" && found !== "invalid" && found !== "malformed")
    return "answers without a verdict";
  if (verdict === "malformed") return "accepts text that is not JSON";
  if (found === "malformed") return "refuses text that is JSON";
  if (verdict === "invalid") return "accepts an invalid value";
  if (notes.some(([, rule]) => rule === "unknown")) return "refuses an unknown tag or value";
  const isRepaired = notes.some(([, rule]) => !KEPT.has(rule));
  return isRepaired ? "refuses what is repairable" : "refuses a valid value";
}

/** Returns whether a difference is about an unknown tag or value, or the object or list that has it. */
function isOfUnknown({ pointer }: ValueDifference, notes: readonly CorpusReport[]): boolean {
  return notes.some(([place, rule]) => {
    if (rule !== "unknown") return false;
    const holder = place.slice(0, Math.max(0, place.lastIndexOf("/")));
    return isInside(pointer, holder) || isInside(place, pointer);
  });
}

/** Returns whether what differs has something in it that not every language can represent. */
function isOfHard({ expected }: ValueDifference): boolean {
  const text = JSON.stringify(expected, (_, value: unknown) =>
    typeof value === "number" && !Number.isFinite(value) ? 1e21 : value,
  ) as string | undefined;
  return text !== undefined && isHardToRepresent(text);
}

function isInside(pointer: string, holder: string): boolean {
  return pointer === holder || pointer.startsWith(`${holder}/`);
}

function valueKind(
  { pointer, change, expected }: ValueDifference,
  input: unknown,
  declared: ReadonlySet<string>,
): Kind {
  if (change === "items") return "loses or adds an item";
  if (change === "value") return "changes a value";
  if (change === "added") return "adds a property";
  const keys = parsePointer(pointer);
  if (keys.includes("_meta")) return "loses _meta";
  if (!declared.has(keys.at(-1)!)) return "drops an unknown property";
  if (!hasPlace(input, pointer)) return "leaves out a default";
  if (expected === null) return "loses null";
  const isEmpty = typeof expected === "object" && Object.keys(expected).length === 0;
  return isEmpty ? "loses an empty list or object" : "loses a property";
}
