import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SHARED } from "../paths.js";

/** A value of a v1 definition. */
export interface CorpusLine {
  readonly def: string;
  readonly value: unknown;
  /** What was done to it, e.g. `null at /update/content`. */
  readonly why: string;
}

/** The lines of one file of the shared corpus. */
export function corpus(name: string): CorpusLine[] {
  return readFileSync(join(SHARED, `fixtures/corpus/${name}.ndjson`), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as CorpusLine);
}
