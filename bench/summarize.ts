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

/** What a share of the values is at most, linear between neighbours; they must be sorted. */
export function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position % 1);
}
