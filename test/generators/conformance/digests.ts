import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { answer } from "../../../generators/emit/corpus/answer.js";
import { createCases } from "../../../generators/emit/corpus/cases.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { loadDecoders } from "../../../generators/run/conformance/load-decoders.js";
import { readTemplates } from "../../../generators/run/installation.js";
import { ROOT } from "../../support/paths.js";

/** The number of cases and a digest of them with their expected results, by profile and definition. */
export interface Digests {
  readonly [profile: string]: { readonly [definition: string]: string };
}

export const DIGESTS = `${ROOT}test/generators/conformance/digests.json`;

export function readDigests(): Digests {
  return JSON.parse(readFileSync(DIGESTS, "utf8")) as Digests;
}

/** Returns a function that computes the digest of a definition's cases. */
export async function createDigest(protocol: Protocol): Promise<(definition: string) => string> {
  const decoders = await loadDecoders([protocol], readTemplates());
  const decode = decoders.get(protocol.profile)!;
  const casesOf = createCases(protocol);
  return (definition) => {
    const hash = createHash("sha256");
    const cases = casesOf(definition);
    for (const one of cases) hash.update(`${JSON.stringify({ ...one, ...answer(decode, one) })}\n`);
    return `${cases.length} ${hash.digest("hex").slice(0, 16)}`;
  };
}
