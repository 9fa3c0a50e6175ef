import { readFileSync } from "node:fs";

/** A v1 value and the definition that it belongs to. */
export interface Sample {
  readonly def: string;
  readonly value: unknown;
  /** The change that made a value invalid, and its place: `delete at /type (text)`. */
  readonly why?: string;
}

export interface Samples {
  readonly valid: readonly Sample[];
  /** Values that every validator rejects. */
  readonly invalid: readonly Sample[];
}

/** The values of the corpus. */
export function loadSamples(): Samples {
  return { valid: loadLines("valid.ndjson"), invalid: loadLines("invalid.ndjson") };
}

function loadLines(name: string): Sample[] {
  const text = readFileSync(new URL(`../../fixtures/corpus/${name}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Sample);
}
