export interface Implementation {
  readonly name: string;
  /** Does the work once. Returns its CPU time in seconds, user and system, of every thread. */
  readonly run: () => number;
}

/** The median CPU time of an implementation, in seconds. */
export interface Result {
  readonly name: string;
  readonly cpu: number;
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
  const costs = implementations.map((): number[] => []);
  for (const { place, counts } of schedule(implementations.length, rounds)) {
    const cost = implementations[place]!.run();
    if (counts) costs[place]!.push(cost);
  }
  return implementations.map(({ name }, place) => ({ name, cpu: median(costs[place]!) }));
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

/** Returns the middle of some measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}
