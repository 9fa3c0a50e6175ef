import { outputPath } from "../../output/file.js";
import { canonicalJson } from "../../schema/json-schema/json.js";
import { perProfile, type Emitter } from "../emitter.js";
import type { Codec } from "../inputs.js";
import { codecAnswer, OPERATIONS } from "./answer.js";
import { createCases, type CorpusCase } from "./cases.js";

/** Inputs for codecs of any language, with the expected answers. */
export const corpus: Emitter<"codecs"> = {
  name: "corpus",
  summary:
    "inputs for every codec with the expected answers, one JSON object on each line; on request",
  onRequest: true,
  inputs: ["codecs"],
  emit: perProfile((protocol, { codecs }) => {
    const { profile, definitions } = protocol;
    const codec = codecs.get(profile);
    if (codec === undefined) return [];
    const casesOf = createCases(protocol);
    const lines = definitions.flatMap(({ name }) =>
      casesOf(name).map((one) => corpusLine(profile, codec, one)),
    );
    const path = outputPath("corpus", `${profile}.ndjson`);
    return [{ path, text: `${lines.join("\n")}\n`, language: "plain" }];
  }),
};

/**
 * Prints a case with the expected answer of each operation. Values are texts, canonical as RFC 8785
 * says, so that no parser stands between a test and what it expects.
 */
export function corpusLine(profile: string, codec: Codec, one: CorpusCase): string {
  const answers = OPERATIONS.map((op) => {
    const { value, ...rest } = codecAnswer(codec, op, one);
    return [op, { ...rest, ...(value !== undefined && { canonical: canonicalJson(value) }) }];
  });
  return JSON.stringify({ profile, ...one, ...Object.fromEntries(answers) });
}
