import type { Goal, Report } from "../report.js";
import {
  BASELINE,
  OURS,
  takeTurns,
  SDK,
  startImplementations,
  type HeapMarks,
  type Turn,
} from "./client-process.js";
import {
  countLate,
  createResults,
  measureCells,
  measureColumns,
  worst,
  type Measure,
  type Results,
} from "./results.js";
import { writeUpdates } from "./updates.js";

const MEASURES: readonly Measure[] = [
  ["CPU, total", ({ client, agent }) => client + agent],
  ["client", ({ client }) => client],
  ["agent", ({ agent }) => agent],
];
/** The greatest share of the SDK's figure that ours may be, by measure. */
const TARGETS: Readonly<Record<string, number>> = { "CPU, total": 1 / 5, client: 1 / 7 };
const SHORT = 1000;
const LONG = 100_000;
/** A implementation comes to its speed within about ten turns. */
const ROUNDS = { warmup: 12, measured: 15 };
const LONG_ROUNDS = { warmup: 0, measured: 1 };
const HANDLERS = 10;
/** The allowed addition to the baseline. */
const AT_THE_BASELINE = 1.13;
/** Heap after all updates by that after a tenth of them. */
const FLAT = 1.05;

/** Prompt turns between a client and the agent that it has spawned. */
export async function compareStdio(): Promise<Report> {
  const updates = await writeUpdates();
  try {
    const results = await measureAll(updates.file);
    return {
      title: "Dispatch: a prompt turn over stdio, per update",
      notes: [
        updates.note,
        "every notify awaited; a turn ends when its prompt is answered and every update has reached its handler",
        "ours with all defaults: incoming decoded, outgoing checked; the SDK as documented; bare loop: JSON, a table, line feeds",
        "client and agent are processes; each reads its own CPU time",
        `medians, and medians of the ratios within a round, below 1× is better: ${ROUNDS.measured} interleaved rounds of ${SHORT} updates, after ${ROUNDS.warmup} that are not counted, then one of ${LONG}`,
        "late: updates whose handler had not started when the prompt's promise resolved, in all rounds together",
        "heap: in use after a full collection, after 10 % and 100 % of the updates; the collections' time is taken off",
      ],
      columns: ["turn", "", ...measureColumns(MEASURES), "late", "heap", "agent's heap"],
      rows: results.flatMap((each) =>
        [OURS, SDK, BASELINE].map((implementation) => [
          each.name,
          implementation,
          ...measureCells(each, implementation, MEASURES, "µs"),
          `${countLate(each, implementation)}`,
          formatHeap(each, implementation, ({ heap }) => heap),
          formatHeap(each, implementation, ({ agentHeap }) => agentHeap),
        ]),
      ),
      claim: [
        "CPU time of a streamed update over stdio, both ends",
        "1",
        `${Math.round(1 / worst(results, SDK, MEASURES[0]!))} times`,
      ],
      goals: goalsOf(results),
    };
  } finally {
    updates.remove();
  }
}

async function measureAll(updates: string): Promise<Results[]> {
  const implementations = await startImplementations(HANDLERS, updates);
  const short = await takeTurns(implementations, { count: SHORT }, ROUNDS);
  const long = await takeTurns(implementations, { count: LONG, withHeap: true }, LONG_ROUNDS);
  for (const implementation of implementations) implementation.stop();
  return [
    createResults(`${SHORT} updates, ${HANDLERS} handlers`, implementations, short),
    createResults(`${LONG} updates, ${HANDLERS} handlers`, implementations, long),
  ];
}

/** Each in the row where we are worst. */
function goalsOf(results: readonly Results[]): Goal[] {
  const goal = (what: string, target: number, measured: number, unit = "×"): Goal => ({
    what: `stdio: ${what}`,
    bound: "at most",
    target,
    measured,
    unit,
  });
  const late = results.reduce((sum, each) => sum + countLate(each, OURS), 0);
  return [
    ...MEASURES.filter(([name]) => Object.hasOwn(TARGETS, name)).map((measure) =>
      goal(`${measure[0]}, of the SDK's`, TARGETS[measure[0]]!, worst(results, SDK, measure)),
    ),
    ...MEASURES.map((measure) =>
      goal(`${measure[0]}, of the baseline's`, AT_THE_BASELINE, worst(results, BASELINE, measure)),
    ),
    goal("late updates", 0, late, ""),
    goal("heap after all updates, of that after 10 %", FLAT, worstGrowth(results)),
  ];
}

function worstGrowth(results: readonly Results[]): number {
  const marks = results
    .flatMap(({ turns }) => turns.get(OURS)!)
    .flatMap(({ heap, agentHeap }) => [heap, agentHeap]);
  return Math.max(
    ...marks.map(({ early, end }) => (early === undefined || end === undefined ? 0 : end / early)),
  );
}

function formatHeap(
  { turns }: Results,
  implementation: string,
  marksOf: (turn: Turn) => HeapMarks,
): string {
  const marks = turns.get(implementation)!.map(marksOf);
  const { early, end } = marks.at(-1)!;
  if (early === undefined || end === undefined) return "";
  const format = (bytes: number): string => (bytes / 1e6).toFixed(2);
  return `${format(early)}, ${format(end)} MB`;
}
