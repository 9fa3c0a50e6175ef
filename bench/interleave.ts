import { summarize, type Summary } from "./summarize.js";

/** What some work has cost, in seconds. */
export interface Cost {
  /** Time on the processors, user and system, of every thread and process involved. */
  readonly cpu: number;
  readonly wall: number;
}

export interface Contestant {
  readonly name: string;
  /** Does the work once. */
  readonly run: () => Cost;
}

/** How a contestant has done, in seconds. */
export interface Standing {
  readonly name: string;
  readonly cpu: Summary;
  readonly wall: Summary;
}

export interface Rounds {
  /** Rounds that are run and not counted. */
  readonly warmup: number;
  readonly measured: number;
}

/**
 * Lets the contestants take turns. A round runs each of them once, and each
 * round begins with the next one, so that noise on the machine and the place
 * in the round meet them all alike. (Benchmark libraries finish one task
 * before they begin the next, which is why none is used here.)
 */
export function interleave(contestants: readonly Contestant[], rounds: Rounds): Standing[] {
  const costs = contestants.map((): Cost[] => []);
  for (const { place, counts } of turns(contestants.length, rounds)) {
    const cost = contestants[place]!.run();
    if (counts) costs[place]!.push(cost);
  }
  return contestants.map(({ name }, place) => ({
    name,
    cpu: summarize(costs[place]!.map(({ cpu }) => cpu)),
    wall: summarize(costs[place]!.map(({ wall }) => wall)),
  }));
}

/** Whose turn it is, one after the other, and whether it counts. */
export function* turns(
  contestants: number,
  { warmup, measured }: Rounds,
): Generator<{ readonly place: number; readonly counts: boolean }> {
  for (let round = 0; round < warmup + measured; round++) {
    for (let turn = 0; turn < contestants; turn++)
      yield { place: (round + turn) % contestants, counts: round >= warmup };
  }
}
