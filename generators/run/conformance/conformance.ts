import { answer, type Answer } from "../../emit/corpus/answer.js";
import { createCases, type Case } from "../../emit/corpus/cases.js";
import { buildProtocol } from "../../model/build/build.js";
import { canonicalJson, type JsonObject } from "../../schema/json-schema/json.js";
import { resolveInputs } from "../inputs/select-profiles.js";
import { readTemplates, SCHEMA } from "../installation.js";
import { unknownName, usageError } from "../messages.js";
import type { Selection } from "../options.js";
import { askCodec, type CodecRequest } from "./codec-process.js";
import { loadDecoders } from "./load-decoders.js";

export interface ConformanceOptions {
  /** The profile of the corpus. */
  readonly inputs: Selection;
  /** The codec: a program and its arguments. */
  readonly command: readonly string[];
  /** The definitions to try; all when absent. */
  readonly definitions?: readonly string[];
  /** Tries every so many cases only. */
  readonly every?: number;
}

export interface ConformanceResult {
  readonly profile: string;
  readonly cases: number;
  /** Cases with another verdict or value. */
  readonly required: number;
  /** Cases with the same verdict and value, but other notes or issues. */
  readonly recommended: number;
  /** Cases of definitions that the codec does not have. */
  readonly unsupported: number;
  /** The definitions with differences, by name. */
  readonly definitions: { readonly [name: string]: Differences };
}

export interface Differences {
  readonly cases: number;
  readonly required: number;
  readonly recommended: number;
  readonly unsupported: number;
}

/** A case in which a codec answers otherwise. */
export interface Difference {
  readonly level: "required" | "recommended";
  readonly one: Case;
  readonly expected: Answer;
  readonly found: JsonObject;
}

/**
 * Compares a codec with our decoders on the corpus of a profile: the verdict and the value, which are
 * required, and the notes or issues, which are recommended. A codec answers `unsupported` for
 * definitions that it does not have, which is not a difference.
 *
 * @param onDifference called for every difference, as it is found
 * @throws InputError for options that name no profile or several; OutputError when the codec fails
 */
export async function compareCodec(
  { inputs, command, definitions, every = 1 }: ConformanceOptions,
  onDifference: (difference: Difference) => void = () => {},
): Promise<ConformanceResult> {
  const [input, ...others] = resolveInputs(inputs, SCHEMA);
  if (input === undefined || others.length > 0)
    throw usageError("a codec is compared on one profile", "Give one --profile.");
  const protocol = buildProtocol(input.bundle, input.profile);
  const { profile } = protocol;
  const decode = (await loadDecoders([protocol], readTemplates())).get(profile)!;
  const known = protocol.definitions.map(({ name }) => name);
  for (const name of definitions ?? [])
    if (!known.includes(name)) throw unknownName("definition", name, known);
  const casesOf = createCases(protocol);
  const open = new Map<number, Case>();
  function* requests(): Generator<CodecRequest> {
    let number = 0;
    for (const name of definitions ?? known)
      for (const one of casesOf(name)) {
        if (number++ % every !== 0) continue;
        open.set(number, one);
        yield { id: number, profile, definition: one.definition, input: one.input };
      }
  }
  const counts = new Map<string, { -readonly [Name in keyof Differences]: number }>();
  await askCodec(command, requests(), (id, found) => {
    const one = open.get(id)!;
    open.delete(id);
    const none = { cases: 0, required: 0, recommended: 0, unsupported: 0 };
    const count = counts.get(one.definition) ?? none;
    counts.set(one.definition, count);
    count.cases++;
    if (found["verdict"] === "unsupported") {
      count.unsupported++;
      return;
    }
    const expected = answer(decode, one);
    const level = levelOf(expected, found);
    if (level === undefined) return;
    count[level]++;
    onDifference({ level, one, expected, found });
  });
  const sum = (key: keyof Differences): number =>
    [...counts.values()].reduce((total, count) => total + count[key], 0);
  const differing = [...counts].filter(([, count]) => count.required + count.recommended > 0);
  return {
    profile,
    cases: sum("cases"),
    required: sum("required"),
    recommended: sum("recommended"),
    unsupported: sum("unsupported"),
    definitions: Object.fromEntries(differing),
  };
}

/** Returns the level at which an answer differs; undefined when it is the expected one. */
function levelOf(expected: Answer, found: JsonObject): Difference["level"] | undefined {
  if (found["verdict"] !== expected.verdict || found["value"] !== expected.value) return "required";
  const isSame = (["notes", "issues"] as const).every(
    (key) => canonicalJson(found[key] ?? []) === canonicalJson(expected[key] ?? []),
  );
  return isSame ? undefined : "recommended";
}
