import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { createCases } from "../generators/emit/corpus/cases.js";
import { corpusLine } from "../generators/emit/corpus/corpus.js";
import type { Protocol } from "../generators/model/protocol.js";
import { loadCodecs } from "../generators/run/bundles/load-codecs.js";
import { readTemplates, readTree, ROOT } from "../generators/run/installation.js";

/** The digests of the corpus, which the repository has in place of the corpus. */
export interface CorpusDigests {
  /** The digest of everything that the corpus is computed from. */
  readonly inputs: string;
  /** The number of cases and a digest of them with their expected answers, by profile and definition. */
  readonly profiles: { readonly [profile: string]: { readonly [definition: string]: string } };
}

const FILE = join(ROOT, "test/generators/tools/conformance/digests.json");

/** The folders that decide about the corpus of all profiles: its cases, and the checks that answer them. */
const INPUTS = [
  "generators/emit/corpus",
  "generators/model/sample",
  "generators/schema/json-schema",
  "out/typescript/src/runtime/validate",
];

export function readDigests(): CorpusDigests {
  return JSON.parse(readFileSync(FILE, "utf8")) as CorpusDigests;
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

/**
 * Computes the digests of the corpus again if anything that it is computed from has changed.
 *
 * @returns whether it has
 */
export async function updateDigests(protocols: readonly Protocol[]): Promise<boolean> {
  const inputs = inputsDigest(protocols);
  if (readDigests().inputs === inputs) return false;
  const profiles: { [profile: string]: { [definition: string]: string } } = {};
  for (const protocol of protocols) {
    const digest = await createDigest(protocol);
    profiles[protocol.profile] = Object.fromEntries(
      protocol.definitions.map(({ name }) => [name, digest(name)]),
    );
  }
  const digests: CorpusDigests = { inputs, profiles };
  writeFileSync(FILE, await format(JSON.stringify(digests), { parser: "json" }));
  return true;
}

function inputsDigest(protocols: readonly Protocol[]): string {
  const hash = createHash("sha256");
  const own = protocols.map(({ profile }) => `out/typescript/src/${profile}/internal`);
  for (const folder of [...INPUTS, ...own])
    for (const [path, text] of readTree(join(ROOT, folder)))
      hash.update(`${folder}/${path}\n${text}\n`);
  // Samples take their values from the examples of the schema.
  for (const { definitions, methods } of protocols)
    hash.update(JSON.stringify([...definitions, ...methods].map(({ examples }) => examples)));
  return hash.digest("hex").slice(0, 16);
}
