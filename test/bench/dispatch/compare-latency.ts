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
const TARGET = 1 / 4;
/** Nanoseconds per microsecond, the unit of the figures. */
const MICROSECOND = 1000;

const MEASURES: readonly Measure[] = [
  ["p50", percentile(0.5)],
  ["p99", percentile(0.99)],
];

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
        ...MEASURES.map((measure) =>
          goal(each, `${measure[0]}, of the SDK's`, worst([each], SDK, measure)),
        ),
        goal(each, "p50 above the baseline, of the SDK's", shareAbove(each, MEASURES[0]!)),
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

function goal({ name }: Results, what: string, measured: number): Goal {
  return {
    what: `latency, ${name}: ${what}`,
    bound: "at most",
    target: TARGET,
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
