import type { Goal, Report } from "../report.js";
import {
  FLOOR,
  OURS,
  play,
  SDK,
  startPlayers,
  type HeapMarks,
  type Player,
  type Turn,
  type Transport,
} from "./client-process.js";
import {
  countLate,
  createStandings,
  measureCells,
  measureColumns,
  worst,
  type Measure,
  type Standings,
} from "./standings.js";
import { writeUpdates } from "./updates.js";

/** What is measured of one transport, and what we want. */
interface Comparison {
  readonly transport: Transport;
  readonly title: string;
  readonly notes: readonly string[];
  readonly measures: readonly Measure[];
  /** What share of the SDK's figure ours is to be at most, by measure. */
  readonly targets: Readonly<Record<string, number>>;
}

const SHORT = 1000;
const LONG = 100_000;
/** A player comes to its speed within about ten turns. */
const ROUNDS = { warmup: 12, measured: 15 };
/** Each in new processes. */
const FIRST_ROUNDS = 5;
const LONG_ROUNDS = { warmup: 0, measured: 1 };
const HANDLERS = [1, 10];
/** What may come on top of the floor. */
const AT_THE_FLOOR = 1.25;
/** Heap after all updates by that after a tenth of them. */
const FLAT = 1.05;

/** Prompt turns within one process. */
export function compareMemory(): Promise<Report> {
  return compareTurns({
    transport: "memory",
    title: "Dispatch: a prompt turn in memory, per update",
    notes: [
      "the SDK connects two apps of one process by object streams, the others write and parse JSON",
    ],
    measures: [["CPU", ({ client }) => client]],
    targets: { CPU: 1 / 7 },
  });
}

/** Prompt turns between a client and the agent that it has spawned. */
export function compareStdio(): Promise<Report> {
  return compareTurns({
    transport: "stdio",
    title: "Dispatch: a prompt turn over stdio, per update",
    notes: ["client and agent are processes; each reads its own CPU time"],
    measures: [
      ["CPU, total", ({ client, agent }) => client + agent],
      ["client", ({ client }) => client],
      ["agent", ({ agent }) => agent],
    ],
    targets: { "CPU, total": 1 / 5, client: 1 / 7 },
  });
}

async function compareTurns(comparison: Comparison): Promise<Report> {
  const { transport, title, notes, measures } = comparison;
  const updates = await writeUpdates();
  try {
    const standings = await playAll(transport, updates.file);
    const first = await playFirstTurns(transport, updates.file);
    return {
      title,
      notes: [
        updates.note,
        "every notify awaited; a turn ends when its prompt is answered and every update has reached its handler",
        "ours with all defaults: incoming decoded, outgoing checked; the SDK as documented; bare loop: JSON, a table, line feeds",
        ...notes,
        `medians, and medians of the ratios within a round, below 1× is better: ${ROUNDS.measured} interleaved rounds of ${SHORT} updates, after ${ROUNDS.warmup} that are not counted, then one of ${LONG}`,
        `first turn: ${FIRST_ROUNDS} rounds, each in new processes; no target is about it`,
        "late: updates whose handler had not started when the prompt's promise resolved, in all rounds together",
        "heap: in use after a full collection, after 10 % and 100 % of the updates; the collections' time is taken off",
      ],
      columns: ["turn", "", ...measureColumns(measures), "late", "heap", "agent's heap"],
      rows: [...standings, first].flatMap((each) =>
        [OURS, SDK, FLOOR].map((player) => [
          each.name,
          player,
          ...measureCells(each, player, measures, "µs"),
          `${countLate(each, player)}`,
          formatHeap(each, player, ({ heap }) => heap),
          formatHeap(each, player, ({ agentHeap }) => agentHeap),
        ]),
      ),
      goals: goalsOf(standings, comparison),
    };
  } finally {
    updates.remove();
  }
}

async function playAll(transport: Transport, updates: string): Promise<Standings[]> {
  const standings: Standings[] = [];
  for (const handlers of HANDLERS) {
    const players = await startPlayers(transport, handlers, updates);
    const name = `${handlers} handler${handlers === 1 ? "" : "s"}`;
    const short = await play(players, { count: SHORT }, ROUNDS);
    standings.push(createStandings(`${SHORT} updates, ${name}`, players, short));
    const long = await play(players, { count: LONG, withHeap: true }, LONG_ROUNDS);
    standings.push(createStandings(`${LONG} updates, ${name}`, players, long));
    for (const player of players) player.stop();
  }
  return standings;
}

/** The turn with which a program begins: most of it runs before the engine has optimized anything. */
async function playFirstTurns(transport: Transport, updates: string): Promise<Standings> {
  const handlers = Math.max(...HANDLERS);
  const once = { warmup: 0, measured: 1 };
  const rounds: (readonly (readonly Turn[])[])[] = [];
  let players: readonly Player[] = [];
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    players = await startPlayers(transport, handlers, updates);
    rounds.push(await play(players, { count: SHORT }, once));
    for (const player of players) player.stop();
  }
  const taken = players.map((_, place) => rounds.flatMap((round) => round[place]!));
  return createStandings(`${SHORT} updates, ${handlers} handlers, first turn`, players, taken);
}

/** Each in the row where we are worst. */
function goalsOf(
  standings: readonly Standings[],
  { transport, measures, targets }: Comparison,
): Goal[] {
  const goal = (what: string, target: number, measured: number, unit = "×"): Goal => ({
    what: `${transport}: ${what}`,
    bound: "at most",
    target,
    measured,
    unit,
  });
  const late = standings.reduce((sum, each) => sum + countLate(each, OURS), 0);
  return [
    ...measures
      .filter(([name]) => Object.hasOwn(targets, name))
      .map((measure) =>
        goal(`${measure[0]}, of the SDK's`, targets[measure[0]]!, worst(standings, SDK, measure)),
      ),
    ...measures.map((measure) =>
      goal(`${measure[0]}, of the floor's`, AT_THE_FLOOR, worst(standings, FLOOR, measure)),
    ),
    goal("late updates", 0, late, ""),
    goal("heap after all updates, of that after 10 %", FLAT, worstGrowth(standings)),
  ];
}

function worstGrowth(standings: readonly Standings[]): number {
  const marks = standings
    .flatMap(({ turns }) => turns.get(OURS)!)
    .flatMap(({ heap, agentHeap }) => [heap, agentHeap]);
  return Math.max(
    ...marks.map(({ early, end }) => (early === undefined || end === undefined ? 0 : end / early)),
  );
}

function formatHeap(
  { turns }: Standings,
  player: string,
  marksOf: (turn: Turn) => HeapMarks,
): string {
  const marks = turns.get(player)!.map(marksOf);
  const { early, end } = marks.at(-1)!;
  if (early === undefined || end === undefined) return "";
  const format = (bytes: number): string => (bytes / 1e6).toFixed(2);
  return `${format(early)}, ${format(end)} MB`;
}
