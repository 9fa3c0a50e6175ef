// Compares answers of Go with ours, one case on each line: fuzz-oracle.ts <profile>. Prints a line for
// each, which is empty where they are the same.
import { createInterface } from "node:readline";
import { OPERATIONS } from "../../generators/emit/corpus/answer.js";
import { isHardToRepresent } from "../../generators/emit/corpus/representation.js";
import { compareAnswer } from "../../generators/tools/conformance/codec/compare-answer.js";
import { loadCodecs } from "../../generators/run/bundles/load-codecs.js";
import { readTemplates } from "../../generators/run/installation.js";
import type { JsonObject } from "../../generators/schema/json-schema/json.js";
import { loadProfile } from "../generators/emit/site/small-site.js";

interface Asked {
  readonly definition: string;
  readonly input: string;
  readonly answers: { readonly [op: string]: JsonObject };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const profile = process.argv[2]!;
const codec = (await loadCodecs([loadProfile(profile)], readTemplates())).get(profile)!;

for await (const line of createInterface({ input: process.stdin })) {
  const { definition, input, answers } = JSON.parse(line) as Asked;
  const one = {
    id: "fuzz",
    definition,
    input,
    ...(isJson(input) && isHardToRepresent(input) && { class: "representation" as const }),
  };
  const differences = OPERATIONS.flatMap((op) => {
    const { outcome, expected } = compareAnswer(codec, op, one, answers[op]!);
    // Reasons of an encoder are those of what it has made, not of the input.
    const isSame = outcome !== "required" && (outcome !== "recommended" || op === "encode");
    return isSame ? [] : [{ op, expected, found: answers[op] }];
  });
  process.stdout.write(differences.length === 0 ? "\n" : `${JSON.stringify(differences)}\n`);
}
