import { sharedLines } from "../shared-lines.js";

/** A value of a v1 definition. */
export interface CorpusLine {
  readonly def: string;
  readonly value: unknown;
  /** What was done to it, e.g. `null at /update/content`. */
  readonly why: string;
}

/** The lines of one file of the shared corpus. */
export function corpus(name: string): CorpusLine[] {
  return sharedLines(`corpus/${name}`);
}
