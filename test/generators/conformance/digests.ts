import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { corpusLine } from "../../../generators/emit/corpus/corpus.js";
import { createCases } from "../../../generators/emit/corpus/cases.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { loadCodecs } from "../../../generators/run/conformance/load-codecs.js";
import { readTemplates } from "../../../generators/run/installation.js";
import { ROOT } from "../../support/paths.js";

/** The number of cases and a digest of them with their expected answers, by profile and definition. */
export interface Digests {
  readonly [profile: string]: { readonly [definition: string]: string };
}

export const DIGESTS = `${ROOT}test/generators/conformance/digests.json`;

export function readDigests(): Digests {
  return JSON.parse(readFileSync(DIGESTS, "utf8")) as Digests;
}

/** Returns a function that computes the digest of a definition's cases. */
export async function createDigest(protocol: Protocol): Promise<(definition: string) => string> {
  const { profile } = protocol;
  const codec = (await loadCodecs([protocol], readTemplates())).get(profile)!;
  const casesOf = createCases(protocol);
  return (definition) => {
    const hash = createHash("sha256");
    const cases = casesOf(definition);
    for (const one of cases) hash.update(`${corpusLine(profile, codec, one)}\n`);
    return `${cases.length} ${hash.digest("hex").slice(0, 16)}`;
  };
}
