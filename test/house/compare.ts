/** Figures of the house by their names. */
export type Figures = { readonly [name: string]: number };

/** The figures as they were recorded last; one that rose has the reason for its last rise. */
export type Recorded = {
  readonly [name: string]: { readonly value: number; readonly reason?: string };
};

/** Figures of which more is better; of all others, less is. */
const MORE_IS_BETTER: readonly string[] = ["mutants that a script kills"];

/** Returns the names of the figures that are worse than recorded. */
export function worseFigures(recorded: Recorded, now: Figures): string[] {
  return namesOf(recorded, now).filter((name) => {
    const more = differenceOf(name, recorded, now);
    return MORE_IS_BETTER.includes(name) ? more < 0 : more > 0;
  });
}

/**
 * Returns what to record.
 *
 * @param reason why figures are worse; undefined when none is
 */
export function recordFigures(
  recorded: Recorded,
  now: Figures,
  reason: string | undefined,
): Recorded {
  const worse = worseFigures(recorded, now);
  return Object.fromEntries(
    Object.entries(now).map(([name, value]) => {
      const last = worse.includes(name) ? reason : recorded[name]?.reason;
      return [name, last === undefined ? { value } : { value, reason: last }];
    }),
  );
}

/** Prints figures, each with its difference from the recorded one. */
export function printFigures(recorded: Recorded, now: Figures): string {
  const rows = namesOf(recorded, now).map((name) => {
    const more = differenceOf(name, recorded, now);
    const difference = more === 0 ? "" : ` (${more > 0 ? "+" : ""}${more})`;
    return `${String(now[name] ?? 0).padStart(8)}  ${name}${difference}`;
  });
  return rows.join("\n");
}

function namesOf(recorded: Recorded, now: Figures): string[] {
  return [...new Set([...Object.keys(now), ...Object.keys(recorded)])];
}

function differenceOf(name: string, recorded: Recorded, now: Figures): number {
  return (now[name] ?? 0) - (recorded[name]?.value ?? 0);
}
