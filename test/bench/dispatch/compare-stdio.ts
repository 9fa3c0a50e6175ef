import { formatRatio, THREE_DIGITS, type Report } from "../report.js";
import { median } from "../interleave.js";
import { OURS, SDK, startImplementations, takeTurns, type Turn } from "./client-process.js";
import { writeUpdates } from "./updates.js";

/** One figure of a turn, by its name, and the greatest share of the SDK's that ours may be. */
interface Measure {
  readonly name: string;
  readonly of: (turn: Turn) => number;
  readonly target?: number;
}

const MEASURES: readonly Measure[] = [
  { name: "CPU, total", of: ({ client, agent }) => client + agent, target: 1 / 5 },
  { name: "client", of: ({ client }) => client, target: 1 / 7 },
  { name: "agent", of: ({ agent }) => agent },
];
const COUNT = 1000;
/** An implementation comes to its speed within about ten turns. */
const ROUNDS = { warmup: 12, measured: 15 };
const HANDLERS = 10;

/** Prompt turns between a client and the agent that it has spawned. */
export async function compareStdio(): Promise<Report> {
  const updates = await writeUpdates();
  try {
    const taken = await measureAll(updates.file);
    return {
      title: "Dispatch: a prompt turn over stdio, per update",
      notes: [
        updates.note,
        "every notify awaited; a turn ends when its prompt is answered and every update has reached its handler",
        "ours with all defaults: incoming decoded, outgoing checked; the SDK as documented",
        "client and agent are processes; each reads its own CPU time",
        `medians, and medians of the ratios within a round, below 1× is better: ${ROUNDS.measured} interleaved rounds of ${COUNT} updates with ${HANDLERS} handlers, after ${ROUNDS.warmup} that are not counted`,
        "late: updates whose handler had not started when the prompt's promise resolved, in all rounds together",
      ],
      columns: ["", ...MEASURES.flatMap(({ name }) => [name, "of SDK's"]), "late"],
      rows: [...taken].map(([name, turns]) => [
        name,
        ...MEASURES.flatMap((measure) => [
          `${THREE_DIGITS.format(median(turns.map(measure.of)))} µs`,
          formatRatio(medianRatio(turns, taken.get(SDK)!, measure)),
        ]),
        `${countLate(turns)}`,
      ]),
      goals: [
        ...MEASURES.flatMap((measure) => {
          const { name, target } = measure;
          const measured = medianRatio(taken.get(OURS)!, taken.get(SDK)!, measure);
          const what = `stdio: ${name}, of the SDK's`;
          return target === undefined
            ? []
            : [{ what, bound: "at most" as const, target, measured, unit: "×" }];
        }),
        {
          what: "stdio: late updates",
          bound: "at most",
          target: 0,
          measured: countLate(taken.get(OURS)!),
          unit: "",
        },
      ],
    };
  } finally {
    updates.remove();
  }
}

/** Returns the turns by implementation, in the same rounds. */
async function measureAll(updates: string): Promise<ReadonlyMap<string, readonly Turn[]>> {
  const implementations = await startImplementations(HANDLERS, updates);
  const taken = await takeTurns(implementations, { count: COUNT }, ROUNDS);
  for (const implementation of implementations) implementation.stop();
  return new Map(implementations.map(({ name }, place) => [name, taken[place]!]));
}

/** Returns the median of how a figure relates to another implementation's in the same round. */
function medianRatio(own: readonly Turn[], other: readonly Turn[], { of }: Measure): number {
  return median(own.map((turn, round) => of(turn) / of(other[round]!)));
}

/** Counts the updates of all rounds that came after the end of their turn. */
function countLate(turns: readonly Turn[]): number {
  return turns.reduce((sum, { late }) => sum + late, 0);
}
