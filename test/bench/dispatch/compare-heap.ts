import { formatRatio, type Report } from "../report.js";
import { BASELINE, OURS, takeTurns, SDK, startImplementations } from "./client-process.js";
import { writeUpdates } from "./updates.js";

type Bytes = ReadonlyMap<string, number>;

const ROUNDS = { warmup: 15, measured: 15 };
const TURN = { count: 1000, collectFirst: true };
const HANDLERS = 10;
/** Young enough for a turn to end before the collector has to run. */
const FLAGS = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
const TARGET = 1 / 30;

/** The heap that an update leaves to the collector on the client. */
export async function compareHeap(): Promise<Report> {
  const updates = await writeUpdates();
  try {
    const client = await measure(updates.file);
    return {
      title: "Dispatch: memory allocated for an update",
      notes: [
        updates.note,
        `growth of V8's heap over a turn of ${TURN.count} updates while no collection runs; ${HANDLERS} handlers`,
        `least of ${ROUNDS.measured} interleaved rounds, after ${ROUNDS.warmup} that are not counted; below 1× is better`,
      ],
      columns: ["", "client, over stdio", "of SDK's", "of baseline"],
      rows: [OURS, SDK, BASELINE].map((implementation) => [
        implementation,
        ...cells(client, implementation),
      ]),
      claim: [
        "heap that the client allocates for an update",
        `${(client.get(OURS)! / 1000).toFixed(1)} kB`,
        `${(client.get(SDK)! / 1000).toFixed(0)} kB`,
      ],
      goals: [
        {
          what: "heap per update on the client, of the SDK's",
          bound: "at most",
          target: TARGET,
          measured: client.get(OURS)! / client.get(SDK)!,
          unit: "×",
        },
      ],
    };
  } finally {
    updates.remove();
  }
}

/** Bytes per update of the client's process, by implementation. */
async function measure(updates: string): Promise<Bytes> {
  const implementations = await startImplementations(HANDLERS, updates, FLAGS);
  const taken = await takeTurns(implementations, TURN, ROUNDS);
  for (const implementation of implementations) implementation.stop();
  // The least of the turns: all that comes on top is the compiler's own.
  const least = taken.map((turns) => Math.min(...turns.map(({ grown }) => grown)));
  return new Map(implementations.map(({ name }, place) => [name, least[place]!]));
}

function cells(bytes: Bytes, implementation: string): string[] {
  const own = bytes.get(implementation)!;
  return [
    `${own.toFixed(0)} bytes`,
    formatRatio(own / bytes.get(SDK)!),
    formatRatio(own / bytes.get(BASELINE)!),
  ];
}
