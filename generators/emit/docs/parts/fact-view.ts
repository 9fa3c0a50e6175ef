import type { Inline } from "../../../output/markup.js";

/** What belongs together, under a name. */
export interface FactView {
  /** Empty for one without links to it. */
  readonly id: string;
  readonly title: string;
  readonly items: readonly Inline[];
  /** Whether the items are words that run on, rather than lines. */
  readonly run: boolean;
}

/** Returns the facts that have items. */
export function facts(all: readonly FactView[]): readonly FactView[] {
  return all.filter(({ items }) => items.length > 0);
}
