import { formatRatio, THREE_DIGITS } from "../report.js";
import { summarize } from "../interleave.js";
import { BASELINE, OURS, SDK, type Implementation, type Turn } from "./client-process.js";

/** One figure of a turn, by its name. */
export type Measure = readonly [name: string, of: (turn: Turn) => number];

/** The results of every implementation under the same conditions, in the same rounds. */
export interface Results {
  readonly name: string;
  readonly turns: ReadonlyMap<string, readonly Turn[]>;
}

/** @param taken turns by implementation, as `takeTurns` returns them */
export function createResults(
  name: string,
  implementations: readonly Implementation[],
  taken: readonly (readonly Turn[])[],
): Results {
  return {
    name,
    turns: new Map(
      implementations.map((implementation, place) => [implementation.name, taken[place]!]),
    ),
  };
}

/** The median over the rounds. */
export function median({ turns }: Results, implementation: string, measure: Measure): number {
  return summarize(turns.get(implementation)!.map(measure[1])).median;
}

/** The median of how one implementation's figure relates to another's in the same round. */
export function medianRatio(
  { turns }: Results,
  [own, other]: readonly [string, string],
  [, of]: Measure,
): number {
  const others = turns.get(other)!;
  return summarize(turns.get(own)!.map((turn, round) => of(turn) / of(others[round]!))).median;
}

/** Updates of all rounds that came after the end of their turn. */
export function countLate({ turns }: Results, implementation: string): number {
  return turns.get(implementation)!.reduce((sum, { late }) => sum + late, 0);
}

export function measureColumns(measures: readonly Measure[]): string[] {
  return measures.flatMap(([name]) => [name, "of SDK's", "of baseline"]);
}

/** The cells of a implementation: each figure, and what share of the peer's and of the baseline's it is. */
export function measureCells(
  results: Results,
  implementation: string,
  measures: readonly Measure[],
  unit: string,
): string[] {
  return measures.flatMap((measure) => [
    `${THREE_DIGITS.format(median(results, implementation, measure))} ${unit}`,
    formatRatio(medianRatio(results, [implementation, SDK], measure)),
    formatRatio(medianRatio(results, [implementation, BASELINE], measure)),
  ]);
}

/** How our figure relates to another implementation's where that is worst for us. */
export function worst(results: readonly Results[], other: string, measure: Measure): number {
  const ratios = results.map((each) => medianRatio(each, [OURS, other], measure));
  return Math.max(...ratios);
}
