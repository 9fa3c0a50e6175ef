import { join } from "node:path";
import { ROOT } from "../../support/paths.js";
import { readLines } from "../../support/read-lines.js";

/** A value of a v1 definition. */
export interface CorpusLine {
  readonly def: string;
  readonly value: unknown;
  /** The change that was made to it, e.g. `null at /update/content`. */
  readonly why: string;
}

/** Returns the lines of one file of the corpus: `valid`, `invalid`, `lenient` or `disagree`. */
export function corpus(name: string): CorpusLine[] {
  return readLines(join(ROOT, `test/fixtures/corpus/${name}.ndjson`));
}
