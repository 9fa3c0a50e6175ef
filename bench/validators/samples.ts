import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, ROOT } from "../paths.js";

/** A v1 value and the definition that it belongs to. */
export interface Sample {
  readonly def: string;
  readonly value: unknown;
  /** What has been done to an invalid value, and where: `delete at /type (text)`. */
  readonly why?: string;
}

export interface Samples {
  /** Where they come from, for the report. */
  readonly source: string;
  readonly valid: readonly Sample[];
  /** Values that every validator rejects. */
  readonly invalid: readonly Sample[];
}

interface Module {
  readonly methods?: readonly {
    readonly params?: string;
    readonly result?: string;
    readonly examples?: readonly { readonly params?: unknown; readonly result?: unknown }[];
  }[];
}

/** Returns the corpus; without it the examples in our schema. */
export function loadSamples(): Samples {
  if (!existsSync(CORPUS)) return loadExamples();
  const source = "test/fixtures/corpus";
  return { source, valid: loadLines("valid.ndjson"), invalid: loadLines("invalid.ndjson") };
}

function loadLines(name: string): Sample[] {
  const lines = readFileSync(join(CORPUS, name), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Sample);
}

function loadExamples(): Samples {
  const folder = join(ROOT, "schema/v1/base");
  const modules = readdirSync(folder).map(
    (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Module,
  );
  const valid = modules
    .flatMap(({ methods = [] }) => methods)
    .flatMap(({ params, result, examples = [] }) =>
      examples.flatMap((example) => [
        ...(params === undefined ? [] : [{ def: params, value: example.params }]),
        ...(result === undefined ? [] : [{ def: result, value: example.result }]),
      ]),
    )
    .filter(({ value }) => value !== undefined);
  const source = "the examples in schema/ (the shared corpus is absent; figures differ from its)";
  return { source, valid, invalid: [] };
}

/** The definitions that the samples belong to. */
export function definitionsOf({ valid, invalid }: Samples): string[] {
  return [...new Set([...valid, ...invalid].map(({ def }) => def))];
}
