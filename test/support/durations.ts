import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./paths.js";

/** How long a test file took when it ran last, in milliseconds. */
export interface Duration {
  readonly wallMs: number;
  /** Processor time with that of the processes that the file started; on Linux only. */
  readonly cpuMs?: number | undefined;
}

export type Durations = { readonly [file: string]: Duration };

const FILE = join(ROOT, "node_modules/.cache/durations.json");

/** Reads the durations of earlier runs by the paths of test files; none before the first run. */
export function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(FILE, "utf8")) as Durations;
  } catch {
    return {};
  }
}

/** Keeps the durations of a run, and those of earlier runs for all other files. */
export function keepDurations(durations: Durations): void {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, JSON.stringify({ ...readDurations(), ...durations }, undefined, 1));
}

/** Returns the files that took longest, in processor time where it is known. */
export function slowest(durations: Durations, count: number): (readonly [string, Duration])[] {
  const timeOf = ({ wallMs, cpuMs }: Duration): number => cpuMs ?? wallMs;
  return Object.entries(durations)
    .sort(([, a], [, b]) => timeOf(b) - timeOf(a))
    .slice(0, count);
}
