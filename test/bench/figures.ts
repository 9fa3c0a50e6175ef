import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.js";

const FILE = join(ROOT, "test/bench/figures.json");

/** A row of the README's table, by its first cell. */
export interface RecordedFigure {
  readonly ours: string;
  readonly peer: string;
  /** What prints it. */
  readonly command: string;
}

/** The rows that were recorded last. */
export function recordedFigures(): { readonly [what: string]: RecordedFigure } {
  return JSON.parse(readFileSync(FILE, "utf8")) as { readonly [what: string]: RecordedFigure };
}

/** Keeps rows in place of the earlier ones. */
export function recordFigures(figures: { readonly [what: string]: RecordedFigure }): void {
  const all = { ...recordedFigures(), ...figures };
  writeFileSync(FILE, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** Returns a row as the README has it, apart from the spaces that align the columns. */
export function readmeRow(what: string, { ours, peer, command }: RecordedFigure): string {
  return `| ${what} | ${ours} | ${peer} | \`${command}\` |`;
}
