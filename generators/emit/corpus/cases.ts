import { buildParts } from "../../model/parts/build-parts.js";
import type { Protocol } from "../../model/protocol.js";
import { createSamples, type Samples } from "../../model/sample/sample.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import { InputError } from "../../schema/problem.js";
import { estimateLength, mutate, type NamedInput } from "./mutations.js";
import { isHardToRepresent } from "./representation.js";

/** An input for the codec of a definition. */
export interface CorpusCase extends NamedInput {
  readonly definition: string;
  /**
   * `representation` for an input that not every language can represent. A codec may answer such a
   * case as expected, with `malformed`, or with `invalid` and an issue of the rule `representation`.
   */
  readonly class?: "representation";
  /** Marks the last case of a definition that has more variations than a corpus has room for. */
  readonly isCut?: true;
}

/**
 * The size of a corpus, in characters of inputs. Definitions that refer to each other in a circle
 * would have the cube of their number.
 */
const MOST_TEXT = 100_000_000;

/** A tag that no definition lists, and one that is marked as custom. */
const OTHER_TAGS = ["another", "_another", ""];

/**
 * Returns the cases of one definition: its samples, among them every variant, and each of these with one
 * difference in every place. The same protocol always gives the same ones, in the same order. Where
 * all of them would be too large, each definition has the same share of the text.
 */
export function createCases(protocol: Protocol): (definition: string) => readonly CorpusCase[] {
  const samples = createSamples(protocol);
  const share = shareOf(protocol, samples);
  const records = [...buildParts(protocol).values()].filter((part) => part.kind === "record");
  const excluded = [...new Set(records.flatMap(({ excludes }) => excludes))];
  const tags = new Map(
    protocol.definitions.map(({ name, shape }) => [
      name,
      shape.kind === "tagged" ? shape.tag : undefined,
    ]),
  );
  return (definition) => {
    const tag = tags.get(definition);
    const named: [string, Json][] = [["typical", samples.typical(definition)]];
    for (const [value, sample] of samples.variants(definition)) named.push([value, sample]);
    if (tag !== undefined) named.push(...otherTags(tag, named));
    named.push(["full", samples.full(definition)]);
    const cases: CorpusCase[] = [];
    const seen = new Set<string>();
    let length = 0;
    for (const [name, sample] of named)
      for (const one of mutate(name, sample, name !== "full", excluded)) {
        if (seen.has(one.input)) continue;
        if (length > share) return [...cases.slice(0, -1), { ...cases.at(-1)!, isCut: true }];
        seen.add(one.input);
        length += one.input.length;
        cases.push(createCase(definition, one));
      }
    return cases;
  };
}

/** Returns how much text the cases of one definition may have. */
function shareOf({ definitions }: Protocol, samples: Samples): number {
  const estimate = (name: string): number => {
    try {
      return estimateLength(samples.full(name));
    } catch (error) {
      // The error belongs to the cases of this definition.
      if (error instanceof InputError) return 0;
      throw error;
    }
  };
  const all = definitions.reduce((sum, { name }) => sum + estimate(name), 0);
  return all > MOST_TEXT ? MOST_TEXT / definitions.length : Infinity;
}

function createCase(definition: string, { id, input }: NamedInput): CorpusCase {
  return { definition, id, ...(isHardToRepresent(input) && { class: "representation" }), input };
}

/** Returns the first sample with tags that are not listed, and without a tag. */
function otherTags(tag: string, [first]: readonly [string, Json][]): [string, Json][] {
  const sample = first![1];
  if (!isObject(sample)) return [];
  const { [tag]: _, ...rest } = sample;
  const others = OTHER_TAGS.map((value): [string, Json] => [
    `tag ${JSON.stringify(value)}`,
    { [tag]: value, ...rest },
  ]);
  return [...others, ["no tag", rest]];
}
