import type { Contestant, Cost } from "../interleave.js";
import type { Check } from "./libraries.js";

/** One call: what is called, and with what. */
export interface Call {
  readonly check: Check;
  readonly value: unknown;
}

/**
 * A contestant that makes calls, all of them once and again.
 *
 * @param turn how much CPU time a turn takes, in microseconds
 */
export function calling(name: string, calls: readonly Call[], turn: number): Contestant {
  return { name, run: () => costOfOne(calls, turn) };
}

/** The cost of one call on average; CPU time includes what the garbage collector's threads use. */
function costOfOne(calls: readonly Call[], turn: number): Cost {
  const started = performance.now();
  const before = process.cpuUsage();
  let count = 0;
  let used = 0;
  while (used < turn) {
    for (const { check, value } of calls) if (!check(value)) throw new Error("a message fails");
    count += calls.length;
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  return { cpu: used / 1e6 / count, wall: (performance.now() - started) / 1e3 / count };
}
