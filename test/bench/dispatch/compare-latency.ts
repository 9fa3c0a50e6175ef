import type { Goal, Report } from "../report.js";
import { quantile } from "../interleave.js";
import {
  BASELINE,
  OURS,
  takeTurns,
  SDK,
  startImplementations,
  type Transport,
  type Turn,
} from "./client-process.js";
import {
  createResults,
  measureCells,
  measureColumns,
  median,
  worst,
  type Measure,
  type Results,
} from "./results.js";
import { writeUpdates } from "./updates.js";

const ROUNDS = { warmup: 3, measured: 7 };
const TURN = { count: 500, every: 1 };
const HANDLERS = 10;
/** The median by that of the bare loop, most of which is the system's. */
const AT_THE_BASELINE = 1.33;
/** What is added to the bare loop, as a share of what the SDK adds. */
const ABOVE_IT = 1 / 4;
/** Nanoseconds per microsecond, the unit of the figures. */
const MICROSECOND = 1000;

const P50: Measure = ["p50", percentile(0.5)];
const MEASURES: readonly Measure[] = [P50, ["p99", percentile(0.99)]];

/** How long an update is on its way when there is no queue. */
export async function compareLatency(): Promise<Report> {
  const updates = await writeUpdates();
  try {
    const results = [await measure("memory", updates.file), await measure("stdio", updates.file)];
    return {
      title: "Dispatch: latency of an update",
      notes: [
        updates.note,
        `one update, then ${TURN.every} ms of rest, ${TURN.count} times a turn; from before notify in the agent to the start of the handler in the client, by the machine's clock; ${HANDLERS} handlers`,
        "most of the baseline's figure is the system's: it wakes a process after its rest, over stdio two; above the baseline: what a library adds to it",
        `medians of ${ROUNDS.measured} interleaved rounds, after ${ROUNDS.warmup} that are not counted; ratios within a round, below 1× is better`,
      ],
      columns: ["transport", "", ...measureColumns(MEASURES)],
      rows: results.flatMap((each) =>
        [OURS, SDK, BASELINE].map((implementation) => [
          each.name,
          implementation,
          ...measureCells(each, implementation, MEASURES, "µs"),
        ]),
      ),
      goals: results.flatMap((each) => [
        goal(each, "p50, of the baseline's", AT_THE_BASELINE, worst([each], BASELINE, P50)),
        goal(each, "p50 above the baseline, of the SDK's", ABOVE_IT, shareAbove(each, P50)),
      ]),
    };
  } finally {
    updates.remove();
  }
}

async function measure(transport: Transport, updates: string): Promise<Results> {
  const implementations = await startImplementations(transport, HANDLERS, updates);
  const results = createResults(
    transport,
    implementations,
    await takeTurns(implementations, TURN, ROUNDS),
  );
  for (const implementation of implementations) implementation.stop();
  return results;
}

function goal({ name }: Results, what: string, target: number, measured: number): Goal {
  return {
    what: `latency, ${name}: ${what}`,
    bound: "at most",
    target,
    measured,
    unit: "×",
  };
}

/** Our addition to the baseline, as a share of the SDK's; of medians, since the differences are small. */
function shareAbove(results: Results, measure: Measure): number {
  const [own, peer, baseline] = [OURS, SDK, BASELINE].map((implementation) =>
    median(results, implementation, measure),
  );
  return (own! - baseline!) / (peer! - baseline!);
}

function percentile(share: number): (turn: Turn) => number {
  return ({ delays }) =>
    quantile(
      [...delays].sort((a, b) => a - b),
      share,
    ) / MICROSECOND;
}
