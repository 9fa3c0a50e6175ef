import type { Protocol } from "../../model/protocol.js";
import { createSamples } from "../../model/sample/sample.js";
import { isObject, type Json } from "../../schema/json-schema/json.js";
import { mutate, type NamedInput } from "./mutations.js";
import { isHardToRepresent } from "./representation.js";

/** An input for the codec of a definition. */
export interface Case extends NamedInput {
  readonly definition: string;
  /**
   * `representation` for an input that not every language can represent. A codec may answer such a
   * case as expected, with `malformed`, or with `invalid` and an issue of the rule `representation`.
   */
  readonly class?: "representation";
}

/** A tag that no definition lists, and one that is marked as custom. */
const OTHER_TAGS = ["another", "_another", ""];

/**
 * Returns the cases of one definition: its samples, among them every variant, and each of these with one
 * difference in every place. The same protocol always gives the same ones, in the same order.
 */
export function createCases(protocol: Protocol): (definition: string) => readonly Case[] {
  const samples = createSamples(protocol);
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
    const inputs = new Map<string, Case>();
    for (const [name, sample] of named)
      for (const one of mutate(name, sample, name !== "full"))
        if (!inputs.has(one.input)) inputs.set(one.input, createCase(definition, one));
    return [...inputs.values()];
  };
}

function createCase(definition: string, { id, input }: NamedInput): Case {
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
