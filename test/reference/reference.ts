import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../../generators/schema/json-schema/json.js";
import { ROOT } from "../support/paths.js";

const folder = join(ROOT, "test/reference");

/** The release of the reference. */
export const RELEASE = readdirSync(folder).find((name) => /^\d/.test(name))!;

/** The folder with the published schemas without their texts, as `v1.json` and `v1-unstable.json`. */
export const REFERENCE = join(folder, RELEASE);

/** The profiles that upstream publishes as well. */
export const PUBLISHED = ["v1", "v1-unstable", "v2", "v2-unstable"] as const;

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(REFERENCE, name), "utf8"));
}

/** Returns the published schema of a profile, without its texts. */
export function readReference(profile: string): JsonSchema {
  return read(`${profile}.json`) as JsonSchema;
}

/** Returns the published list of methods of a profile. */
export function readReferenceMeta(profile: string): object {
  return (read("meta.json") as { readonly [profile: string]: object })[profile]!;
}

/** Returns the key words of BCP 14 in the published texts of a profile, by place. */
export function readKeyWords(profile: string): ReadonlyMap<string, readonly string[]> {
  const all = read("key-words.json") as { readonly [profile: string]: { [place: string]: string } };
  const places = Object.entries(all[profile]!);
  return new Map(places.map(([place, words]) => [place, words.split(", ")]));
}

/** Returns the hashes of all sequences of seven words in the published texts; see `shinglesOf`. */
export function readShingles(): ReadonlySet<string> {
  const hashes = readFileSync(join(REFERENCE, "shingles.bin")).toString("hex");
  return new Set(hashes.match(/.{16}/g));
}
