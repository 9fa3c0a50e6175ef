import type { Result, Rounds, Summary } from "./interleave.js";

export const THREE_DIGITS = new Intl.NumberFormat("en", {
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ["s", 1],
  ["ms", 1e-3],
  ["µs", 1e-6],
  ["ns", 1e-9],
];

/** A finished comparison, ready to print. */
export interface Report {
  readonly title: string;
  /** The procedure, a sentence a line. */
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly goals: readonly Goal[];
  /** The row of the README that the comparison shows. */
  readonly claim?: ClaimCells;
}

/** A row of the README: ours, and the official SDK. */
export type ClaimCells = readonly [what: string, ours: string, peer: string];

/** A figure that we want to reach. */
export interface Goal {
  readonly what: string;
  readonly bound: "at least" | "at most";
  readonly target: number;
  readonly measured: number;
  readonly unit: string;
}

/** The columns of `resultCells`. */
export function resultColumns(peer: string): string[] {
  return ["CPU", "CPU quartiles", `vs ${peer}`, "wall", "wall quartiles", `vs ${peer}`];
}

/** The figures of a implementation; the ratios are the peer's median by its own, so above 1 is better. */
export function resultCells(result: Result, peer: Result): string[] {
  return [...summaryCells(result.cpu, peer.cpu), ...summaryCells(result.wall, peer.wall)];
}

/** A line that says how often was measured. */
export function roundsNote({ warmup, measured }: Rounds): string {
  return `medians of ${measured} interleaved rounds, after ${warmup} that are not counted; vs: the peer's median by this one, above 1× is better`;
}

export function findResult(results: readonly Result[], name: string): Result {
  return results.find((result) => result.name === name)!;
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

/** How many times the peer's CPU time is ours, at the medians. */
export function cpuRatio(peer: Result, own: Result): number {
  return peer.cpu.median / own.cpu.median;
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

function summaryCells(own: Summary, peer: Summary): string[] {
  return [
    formatSeconds(own.median),
    formatSeconds(own.lower, own.upper),
    formatRatio(peer.median / own.median),
  ];
}

/** One or more times with one unit, the one that suits the longest. */
function formatSeconds(...seconds: readonly number[]): string {
  const longest = Math.max(...seconds);
  const [unit, size] = UNITS.find(([, least]) => longest >= least) ?? UNITS.at(-1)!;
  return `${seconds.map((time) => THREE_DIGITS.format(time / size)).join(" to ")} ${unit}`;
}
