import type { CodecResult, CodecDifference } from "../../tools/conformance/codec/compare-codec.js";
import { KINDS, type Kind } from "../../tools/conformance/codec/kinds.js";
import { colors as pc } from "../colors.js";
import { count, cut } from "./format.js";
import type { JUnitCase, JUnitSuite } from "./junit.js";
import { printTable } from "./table.js";

type Levels = readonly CodecDifference["level"][];

/** The differences that serve as examples: the shortest of each definition and kind. */
export interface Examples {
  readonly add: (difference: CodecDifference) => void;
  /** Returns at most so many: required ones first, and of many kinds rather than of one. */
  readonly choose: (most: number) => readonly CodecDifference[];
}

/** @param levels those of the examples */
export function createExamples(levels: Levels): Examples {
  const kept = new Map<string, CodecDifference>();
  return {
    add: (difference) => {
      const { level, kind, one } = difference;
      if (!levels.includes(level)) return;
      const key = `${one.definition} ${kind}`;
      const before = kept.get(key);
      if (before === undefined || one.input.length < before.one.input.length)
        kept.set(key, difference);
    },
    choose: (most) => {
      const ranked = KINDS.flatMap((kind) =>
        [...kept.values()]
          .filter((difference) => difference.kind === kind)
          .sort((one, two) => one.one.input.length - two.one.input.length)
          .map((difference, rank) => ({ difference, rank })),
      );
      const isRequired = ({ level }: CodecDifference): boolean => level === "required";
      return ranked
        .sort(
          (one, two) =>
            Number(isRequired(two.difference)) - Number(isRequired(one.difference)) ||
            one.rank - two.rank,
        )
        .slice(0, most)
        .map(({ difference }) => difference);
    },
  };
}

/** Returns a difference as a JSON object of one level. */
export function differenceJson({ one, found, ...difference }: CodecDifference): object {
  const { level, kind, pointer, op, expected } = difference;
  const { id: _, ...answer } = found;
  return {
    level,
    kind,
    ...(pointer !== undefined && { pointer }),
    op,
    ...one,
    expected,
    found: answer,
  };
}

/** Returns the result and its examples as a JSON object. */
export function codecJson(result: CodecResult, shown: readonly CodecDifference[]): object {
  return { ...result, differences: shown.map(differenceJson) };
}

/** Prints the tables of differences, examples, and the totals. */
export function printCodec(
  result: CodecResult,
  shown: readonly CodecDifference[],
  by: "definition" | "kind",
  levels: Levels,
): readonly string[] {
  const table = by === "kind" ? printKinds(result, levels) : printDefinitions(result, levels);
  return [...table, ...shown.flatMap(printDifference), ...printTotals(result)];
}

function printDifference({ kind, pointer, level, ...difference }: CodecDifference): string[] {
  const { one, expected, found } = difference;
  const place =
    pointer === undefined ? "" : ` at ${pointer === "" ? "the top" : cut(pointer, 100)}`;
  const { id: _, ...answer } = found;
  return [
    `${pc.bold(one.definition)} ${cut(one.id, 100)} (${level}): ${kind}${place}`,
    `  input    ${cut(one.input, 200)}`,
    `  expected ${cut(JSON.stringify(expected), 400)}`,
    `  found    ${cut(JSON.stringify(answer), 400)}`,
  ];
}

function printTotals(result: CodecResult): readonly string[] {
  const { profile, op, cases, required, recommended } = result;
  const { unsupported, representation, notCompared } = result;
  const others: readonly (readonly [number, string])[] = [
    [notCompared, "without notes or issues, which were not compared"],
    [representation, "that the codec does not represent, which is allowed"],
    [unsupported, "unsupported"],
  ];
  const differing = `${count(required, "difference")} in verdict or value, ${recommended} in notes or issues only`;
  return [
    `${profile}, ${op}: ${count(cases, "case")}, ${differing}`,
    ...others.filter(([number]) => number > 0).map(([number, text]) => `${number} ${text}`),
  ];
}

/** Prints the numbers of the definitions that have differences of these levels. */
function printDefinitions({ definitions }: CodecResult, levels: Levels): readonly string[] {
  const rows = Object.entries(definitions)
    .filter(([, own]) => levels.some((level) => own[level] > 0))
    .map(([name, own]) => [name, own.cases, own.required, own.recommended].map(String));
  if (rows.length === 0) return [];
  return [...printTable([["definition", "cases", "required", "recommended"], ...rows]), ""];
}

/** Prints the number of cases and definitions of each kind, and the numbers of each definition. */
function printKinds({ definitions }: CodecResult, levels: Levels): readonly string[] {
  const isShown = (kind: Kind): boolean => levels.includes(levelOf(kind));
  const counts = Object.entries(definitions).map(([name, { kinds }]) => ({ name, kinds }));
  const kinds = KINDS.filter(isShown).filter((kind) => counts.some((own) => own.kinds[kind]));
  if (kinds.length === 0) return [];
  const letters = kinds.map((_, index) => String.fromCharCode(65 + index));
  const sums = kinds.map((kind, index) => {
    const found = counts.map((own) => own.kinds[kind] ?? 0);
    const sum = found.reduce((before, number) => before + number, 0);
    const having = found.filter((number) => number > 0).length;
    return [`${letters[index]!} ${kind}`, ...[sum, having].map(String)];
  });
  const rows = counts
    .filter((own) => kinds.some((kind) => own.kinds[kind]))
    .map((own) => [own.name, ...kinds.map((kind) => String(own.kinds[kind] ?? "."))]);
  return [
    ...printTable([["kind", "cases", "definitions"], ...sums]),
    "",
    ...printTable([["definition", ...letters], ...rows]),
    "",
  ];
}

function levelOf(kind: Kind): CodecDifference["level"] {
  return kind === "notes differ" || kind === "issues differ" ? "recommended" : "required";
}

/** Returns the result as a suite with one case per definition. */
export function codecSuite(result: CodecResult, levels: Levels): JUnitSuite {
  const { profile, op, definitions } = result;
  const classname = `${profile}.${op}`;
  const cases = Object.entries(definitions).map(([name, own]): JUnitCase => {
    const differing = levels.reduce((sum, level) => sum + own[level], 0);
    if (differing > 0) {
      const kinds = KINDS.filter((kind) => own.kinds[kind] && levels.includes(levelOf(kind)));
      const lines = kinds.map((kind) => `${own.kinds[kind]!} ${kind}`);
      const title = `${count(differing, "difference")} in ${count(own.cases, "case")}`;
      return { name, classname, failure: [title, ...lines].join("\n") };
    }
    if (own.unsupported === own.cases) return { name, classname, skipped: "unsupported" };
    return { name, classname };
  });
  return { name: `${profile}, ${op}`, cases };
}
