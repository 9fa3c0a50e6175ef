/** The cost of some work, in seconds. */
export interface Cost {
  /** Time on the processors, user and system, of every thread and process involved. */
  readonly cpu: number;
  readonly wall: number;
}

export interface Implementation {
  readonly name: string;
  /** Does the work once. */
  readonly run: () => Cost;
}

/** How a implementation has done, in seconds. */
export interface Result {
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
 * Lets the implementations take turns. A round runs each of them once, and each
 * round begins with the next one, so that noise on the machine and the place
 * in the round meet them all alike. (Benchmark libraries finish one task
 * before they begin the next, which is why none is used here.)
 */
export function interleave(implementations: readonly Implementation[], rounds: Rounds): Result[] {
  const costs = implementations.map((): Cost[] => []);
  for (const { place, counts } of schedule(implementations.length, rounds)) {
    const cost = implementations[place]!.run();
    if (counts) costs[place]!.push(cost);
  }
  return implementations.map(({ name }, place) => ({
    name,
    cpu: summarize(costs[place]!.map(({ cpu }) => cpu)),
    wall: summarize(costs[place]!.map(({ wall }) => wall)),
  }));
}

/** Whose turn it is, one after the other, and whether it counts. */
export function* schedule(
  implementations: number,
  { warmup, measured }: Rounds,
): Generator<{ readonly place: number; readonly counts: boolean }> {
  for (let round = 0; round < warmup + measured; round++) {
    for (let turn = 0; turn < implementations; turn++)
      yield { place: (round + turn) % implementations, counts: round >= warmup };
  }
}

/** Where the middle of some measurements lies, and how far it spreads. */
export interface Summary {
  readonly median: number;
  /** The ends of the interquartile range. */
  readonly lower: number;
  readonly upper: number;
}

/** Median and quartiles, linear between neighbours (R-7, as in NumPy and spreadsheets). */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    lower: quantile(sorted, 0.25),
    median: quantile(sorted, 0.5),
    upper: quantile(sorted, 0.75),
  };
}

/** The value that a share of the values does not exceed, linear between neighbours; they must be sorted. */
function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position % 1);
}
