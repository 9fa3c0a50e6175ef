export const THREE_DIGITS = new Intl.NumberFormat("en", {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** A finished comparison, ready to print. */
export interface Report {
  readonly title: string;
  /** The procedure, a sentence a line. */
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
}

/** A figure that we want to reach. */
export interface Goal {
  readonly what: string;
  readonly bound: "at least" | "at most";
  readonly target: number;
  readonly measured: number;
  readonly unit: string;
}

/** The report as plain text. */
export function formatReport({ title, notes, columns, rows, goals }: Report): string {
  const table = formatTable(columns, rows);
  const targets = formatTable(["target", "wanted", "measured", ""], goals.map(goalCells));
  return [
    title,
    ...notes.map((note) => `  ${note}`),
    "",
    ...table,
    "",
    ...(goals.length > 0 ? [...targets, ""] : []),
  ].join("\n");
}

export function isMet({ bound, target, measured }: Goal): boolean {
  return bound === "at least" ? measured >= target : measured <= target;
}

function goalCells(goal: Goal): string[] {
  const { what, bound, target, measured, unit } = goal;
  return [
    what,
    `${bound} ${formatTarget(target)}${unit}`,
    `${THREE_DIGITS.format(measured)}${unit}`,
    isMet(goal) ? "met" : "MISSED",
  ];
}

/** Shares like a seventh are not written with all their digits. */
function formatTarget(target: number): string {
  return `${Number(target.toPrecision(3))}`;
}

function formatTable(columns: readonly string[], rows: Report["rows"]): string[] {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]!.length)),
  );
  const table = lines.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("   "),
  );
  table.splice(1, 0, "-".repeat(table[0]!.length));
  return table;
}

export function formatRatio(ratio: number): string {
  return `${THREE_DIGITS.format(ratio)}×`;
}
