import { formatRatio, THREE_DIGITS } from "../report.js";
import { summarize } from "../summarize.js";
import { FLOOR, OURS, SDK, type Player, type Turn } from "./client-process.js";

/** One figure of a turn, by its name. */
export type Measure = readonly [name: string, of: (turn: Turn) => number];

/** What every player has done under the same conditions, in the same rounds. */
export interface Standings {
  readonly name: string;
  readonly turns: ReadonlyMap<string, readonly Turn[]>;
}

/** @param taken turns by player, as `play` returns them */
export function createStandings(
  name: string,
  players: readonly Player[],
  taken: readonly (readonly Turn[])[],
): Standings {
  return { name, turns: new Map(players.map((player, place) => [player.name, taken[place]!])) };
}

/** The median over the rounds. */
export function median({ turns }: Standings, player: string, measure: Measure): number {
  return summarize(turns.get(player)!.map(measure[1])).median;
}

/** The median of how one player's figure relates to another's in the same round. */
export function medianRatio(
  { turns }: Standings,
  [own, other]: readonly [string, string],
  [, of]: Measure,
): number {
  const others = turns.get(other)!;
  return summarize(turns.get(own)!.map((turn, round) => of(turn) / of(others[round]!))).median;
}

/** Updates of all rounds that came after the end of their turn. */
export function countLate({ turns }: Standings, player: string): number {
  return turns.get(player)!.reduce((sum, { late }) => sum + late, 0);
}

export function measureColumns(measures: readonly Measure[]): string[] {
  return measures.flatMap(([name]) => [name, "of SDK's", "of floor"]);
}

/** The cells of a player: each figure, and what share of the peer's and of the floor's it is. */
export function measureCells(
  standings: Standings,
  player: string,
  measures: readonly Measure[],
  unit: string,
): string[] {
  return measures.flatMap((measure) => [
    `${THREE_DIGITS.format(median(standings, player, measure))} ${unit}`,
    formatRatio(medianRatio(standings, [player, SDK], measure)),
    formatRatio(medianRatio(standings, [player, FLOOR], measure)),
  ]);
}

/** How our figure relates to another player's where that is worst for us. */
export function worst(standings: readonly Standings[], other: string, measure: Measure): number {
  const ratios = standings.map((each) => medianRatio(each, [OURS, other], measure));
  return Math.max(...ratios);
}
