import { OPERATIONS, type CodecAnswer, type Operation } from "../../../emit/corpus/answer.js";
import { createCases, type CorpusCase } from "../../../emit/corpus/cases.js";
import { buildProtocol } from "../../../model/build/build.js";
import type { Protocol } from "../../../model/protocol.js";
import { visitShape } from "../../../model/visit-shape.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import { resolveInputs } from "../../../run/inputs/select-profiles.js";
import { readTemplates, SCHEMA } from "../../../run/installation.js";
import { checkOptions, OPTION, type OptionRules } from "../../../run/check-options.js";
import { checkSelection, INPUTS_OPTION } from "../../../run/check-selection.js";
import { HINTS } from "../../../run/hints.js";
import { unknownName, usageError } from "../../../run/messages.js";
import type { Selection } from "../../../run/options.js";
import { askCodec, type CodecQuestion } from "./codec-process.js";
import { compareAnswer } from "./compare-answer.js";
import { classifyAnswer, type Kind } from "./kinds.js";
import { loadCodecs } from "../../../run/bundles/load-codecs.js";

export interface CodecOptions {
  /** The profile of the corpus: a named one, a custom selection, or an imported schema. */
  readonly inputs: Selection;
  /** The codec: a program and its arguments. */
  readonly command: readonly string[];
  /** What it is asked to do; `decode` when absent. */
  readonly op?: Operation;
  /** The definitions to try; all when absent. */
  readonly definitions?: readonly string[];
  /** Tries every so many cases only. */
  readonly every?: number;
  /** How long the codec may take for an answer, in milliseconds; a minute when absent. */
  readonly timeoutMs?: number;
}

/** Called while a codec is compared. */
export interface CodecListener {
  /** Called for every difference, as it is found. */
  readonly difference?: (difference: CodecDifference) => void;
  /** Called after every answer with the number of answers, of definitions begun, and of all. */
  readonly progress?: (answers: number, begun: number, definitions: number) => void;
}

/** Numbers of cases. */
export interface CaseCounts {
  readonly cases: number;
  /** Cases with another verdict or value. */
  readonly required: number;
  /** Cases with the same verdict and value, but other notes or issues. */
  readonly recommended: number;
  /** Cases that the codec does not represent, and says so where it is allowed to. */
  readonly representation: number;
  /** Cases with the same verdict and value, whose answers have no notes or issues to compare. */
  readonly notCompared: number;
  /** Cases of definitions or operations that the codec does not have. */
  readonly unsupported: number;
}

/** The numbers of one definition. */
export interface DefinitionCounts extends CaseCounts {
  /** The number of differences of each kind that occurs. */
  readonly kinds: { readonly [kind in Kind]?: number };
}

export interface CodecResult extends CaseCounts {
  readonly profile: string;
  readonly op: Operation;
  /** The definitions that were tried, by name. */
  readonly definitions: { readonly [name: string]: DefinitionCounts };
}

/** A case in which a codec answers otherwise. */
export interface CodecDifference {
  readonly level: "required" | "recommended";
  readonly kind: Kind;
  /** JSON pointer to the first place where the value differs, when that is the difference. */
  readonly pointer?: string;
  readonly op: Operation;
  readonly one: CorpusCase;
  readonly expected: CodecAnswer;
  /** The answer of the codec. */
  readonly found: JsonObject;
}

const RULES: OptionRules<CodecOptions> = {
  inputs: INPUTS_OPTION,
  command: { ...OPTION.texts, isRequired: true },
  op: OPTION.text,
  definitions: OPTION.texts,
  every: OPTION.count,
  timeoutMs: OPTION.time,
};

/**
 * Compares a codec with ours on the corpus of a profile: the verdict and the value, which are required,
 * and the notes or issues, which are recommended, and compared where an answer has them. Values are
 * compared as canonical JSON (RFC 8785). A codec answers `unsupported` for definitions
 * and operations that it does not have, which is not a difference.
 *
 * @returns the numbers; differences go to the listener
 * @throws TypeError for an option that is unknown, missing or of another type; InputError for options that select no profile or several, or an unknown definition;
 *   OutputError when the codec cannot be started, ends, hangs, or prints something else
 */
export async function compareCodec(
  options: CodecOptions,
  { difference: report, progress }: CodecListener = {},
): Promise<CodecResult> {
  checkOptions("compareCodec", options, RULES);
  checkSelection(options.inputs);
  const { command, op = "decode", timeoutMs = 60_000 } = options;
  if (!OPERATIONS.includes(op)) throw unknownName("operation", op, OPERATIONS);
  if (!command[0]?.trim())
    throw usageError("no command is given", "Give a program and its arguments, as a list.");
  const protocol = selectProtocol(options.inputs);
  const { profile } = protocol;
  const codec = (await loadCodecs([protocol], readTemplates())).get(profile)!;
  const declared = declaredNames(protocol);
  const definitions = selectDefinitions(protocol, options.definitions);
  const counts = new Map<string, Counts>();
  let answers = 0;
  const questions = ask(protocol, definitions, op, options.every);
  await askCodec(command, questions, timeoutMs, (one, found) => {
    const count = counts.get(one.definition) ?? noCases();
    counts.set(one.definition, count);
    count.cases++;
    const { outcome, expected, reports } = compareAnswer(codec, op, one, found);
    if (outcome !== "same") count[outcome]++;
    if (outcome === "required" || outcome === "recommended") {
      const differing = { op, one, expected, found };
      const classified =
        outcome === "required"
          ? classifyAnswer(differing, declared)
          : { kind: `${reports!} differ` as const };
      count.kinds[classified.kind] = (count.kinds[classified.kind] ?? 0) + 1;
      report?.({ level: outcome, ...classified, ...differing });
    }
    progress?.(++answers, counts.size, definitions.length);
  });
  return { profile, op, ...total([...counts.values()]), definitions: Object.fromEntries(counts) };
}

type Counts = { -readonly [Name in keyof CaseCounts]: number } & {
  kinds: { [kind in Kind]?: number };
};

function noCases(): Counts {
  return {
    ...{ cases: 0, required: 0, recommended: 0 },
    ...{ representation: 0, notCompared: 0, unsupported: 0, kinds: {} },
  };
}

function total(counts: readonly Counts[]): CaseCounts {
  const { kinds: _, ...sum } = noCases();
  for (const name of Object.keys(sum) as (keyof CaseCounts)[])
    sum[name] = counts.reduce((before, count) => before + count[name], 0);
  return sum;
}

function selectProtocol(selection: Selection): Protocol {
  const [input, ...others] = resolveInputs(selection, SCHEMA);
  if (input === undefined || others.length > 0)
    throw usageError("a codec is compared on one profile", HINTS.oneProfile);
  return buildProtocol(input.bundle, input.profile);
}

function selectDefinitions(
  protocol: Protocol,
  names: readonly string[] | undefined,
): readonly string[] {
  const known = protocol.definitions.map(({ name }) => name);
  for (const name of names ?? [])
    if (!known.includes(name)) throw unknownName("definition", name, known);
  return names ?? known;
}

/** Returns the names of all properties that a profile declares. */
function declaredNames({ definitions }: Protocol): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { shape } of definitions)
    visitShape(shape, {
      field: ({ name }) => names.add(name),
      variant: (_, _steps, tag) => tag !== undefined && names.add(tag),
    });
  return names;
}

function* ask(
  protocol: Protocol,
  definitions: readonly string[],
  op: Operation,
  every = 1,
): Generator<CodecQuestion> {
  const { profile } = protocol;
  const casesOf = createCases(protocol);
  let number = 0;
  for (const name of definitions)
    for (const one of casesOf(name)) {
      if (number++ % every !== 0) continue;
      const { definition, input } = one;
      yield { request: { id: number, op, profile, definition, input }, one };
    }
}
