import {
  codecAnswer,
  sortReports,
  type CodecAnswer,
  type Operation,
  type CorpusReport,
} from "../../../emit/corpus/answer.js";
import type { CorpusCase } from "../../../emit/corpus/cases.js";
import type { Codec } from "../../../emit/inputs.js";
import { OutputError } from "../../../output/output-error.js";
import { canonicalJson, type JsonObject } from "../../../schema/json-schema/json.js";

/** The comparison of one answer. */
export interface ComparedAnswer {
  /** Whether it is as expected, or the count that its case is part of. */
  readonly outcome:
    "same" | "required" | "recommended" | "representation" | "notCompared" | "unsupported";
  readonly expected: CodecAnswer;
  /** The reports that the expected answer has. */
  readonly reports?: "notes" | "issues";
}

/** Compares the answer of a codec with that of ours. */
export function compareAnswer(
  codec: Codec,
  op: Operation,
  one: CorpusCase,
  found: JsonObject,
): ComparedAnswer {
  const expected = codecAnswer(codec, op, one);
  if (found["verdict"] === "unsupported") return { outcome: "unsupported", expected };
  if (isNotRepresented(one, found)) return { outcome: "representation", expected };
  if (!hasSameValue(codec, op, one, expected, found)) {
    const isAllowed = sendsUndeclared(codec, op, one, expected, found);
    return { outcome: isAllowed ? "same" : "required", expected };
  }
  const reports = reportsOf(expected);
  if (reports === undefined) return { outcome: "same", expected };
  if (found[reports] === undefined) return { outcome: "notCompared", expected, reports };
  const isSame = canonicalJson(sorted(found[reports])) === canonicalJson(expected[reports]);
  return { outcome: isSame ? "same" : "recommended", expected, reports };
}

function reportsOf({ notes, issues }: CodecAnswer): "notes" | "issues" | undefined {
  return notes !== undefined ? "notes" : issues !== undefined ? "issues" : undefined;
}

/** Returns whether an answer says, where that is allowed, that the codec cannot represent the input. */
function isNotRepresented(one: CorpusCase, found: JsonObject): boolean {
  if (one.class !== "representation") return false;
  if (found["verdict"] === "malformed") return true;
  if (found["verdict"] !== "invalid") return false;
  const { issues } = found;
  return (
    Array.isArray(issues) &&
    issues.some((issue: unknown) => Array.isArray(issue) && issue[1] === "representation")
  );
}

function hasSameValue(
  codec: Codec,
  op: Operation,
  one: CorpusCase,
  expected: CodecAnswer,
  found: JsonObject,
): boolean {
  if (found["verdict"] !== expected.verdict) return false;
  if (expected.verdict !== "ok" || op === "validate") return true;
  return isSameValue(codec, op, one, expected.value, found);
}

/**
 * Returns whether the value of an answer is the expected one. Of two encoded values, one may leave out
 * what the other says and receivers take for granted.
 */
function isSameValue(
  codec: Codec,
  op: Operation,
  { definition, id }: CorpusCase,
  expected: unknown,
  found: JsonObject,
): boolean {
  if (!Object.hasOwn(found, "value")) return false;
  const value: unknown = found["value"];
  try {
    if (canonicalJson(value) === canonicalJson(expected)) return true;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new OutputError(`The codec's value for ${definition}, ${id}, is nested too deeply.`);
  }
  if (op !== "encode") return false;
  const [first, second] = [codec.decode(definition, expected), codec.decode(definition, value)];
  if (!first.ok || !second.ok || second.notes.some(({ kind }) => kind === "repaired")) return false;
  return canonicalJson(first.value) === canonicalJson(second.value);
}

/** Returns whether a codec sends undeclared properties, which only types without a place for them refuse. */
function sendsUndeclared(
  codec: Codec,
  op: Operation,
  one: CorpusCase,
  { issues }: CodecAnswer,
  found: JsonObject,
): boolean {
  if (op !== "encode" || found["verdict"] !== "ok") return false;
  if (!issues?.every(([, rule]) => rule === "undeclared")) return false;
  return isSameValue(codec, op, one, JSON.parse(one.input), found);
}

/** Sorts reports if they are such. */
function sorted(reports: unknown): unknown {
  const isList =
    Array.isArray(reports) &&
    reports.every(
      (report) => Array.isArray(report) && report.every((part) => typeof part === "string"),
    );
  return isList ? sortReports(reports as unknown as readonly CorpusReport[]) : reports;
}
