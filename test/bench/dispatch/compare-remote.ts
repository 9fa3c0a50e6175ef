import type { Goal, Report } from "../report.js";
import {
  OURS,
  SDK,
  startImplementation,
  takeTurns,
  type Transport,
  type Turn,
} from "./client-process.js";
import { countLate, createResults, median, medianRatio, type Measure } from "./results.js";
import { writeUpdates } from "./updates.js";

/** A library over a transport; each runs in processes of its own. */
interface Pair {
  readonly library: string;
  readonly transport: Transport;
  /** The most CPU time that it may take, as a multiple of ours over stdio. */
  readonly target?: number;
}

const PAIRS: readonly Pair[] = [
  { library: OURS, transport: "stdio" },
  { library: OURS, transport: "web-socket", target: 1.3 },
  { library: OURS, transport: "http", target: 1.9 },
  { library: SDK, transport: "stdio" },
  { library: SDK, transport: "web-socket" },
  { library: SDK, transport: "http" },
];

const BASE = nameOf(PAIRS[0]!);
const COUNT = 10_000;
const ROUNDS = { warmup: 2, measured: 7 };
const HANDLERS = 10;
const CPU: Measure = ["CPU, total", ({ client, agent }) => client + agent];
const MEASURES: readonly Measure[] = [
  CPU,
  ["client", ({ client }: Turn) => client],
  ["agent", ({ agent }: Turn) => agent],
];

/** What a turn costs over WebSocket and HTTP, beside our stdio. */
export async function compareRemote(): Promise<Report> {
  const { file, note, remove } = await writeUpdates();
  try {
    const implementations = await Promise.all(
      PAIRS.map((pair) =>
        startImplementation(nameOf(pair), pair.library, pair.transport, {
          handlers: HANDLERS,
          updates: file,
        }),
      ),
    );
    const turns = await takeTurns(implementations, { count: COUNT }, ROUNDS);
    for (const implementation of implementations) implementation.stop();
    const results = createResults(`${COUNT} updates`, implementations, turns);
    const ratioOf = (pair: Pair, measure: Measure): number =>
      medianRatio(results, [nameOf(pair), BASE], measure);
    return {
      title: "Dispatch: a prompt turn over WebSocket and HTTP, per update",
      notes: [
        note,
        "every notify awaited; client and server are processes of this machine, and each reads its own CPU time; sockets of ws",
        `medians, and medians of the ratios to our stdio within a round, below 1× is better: ${ROUNDS.measured} interleaved rounds of ${COUNT} updates, after ${ROUNDS.warmup} that are not counted`,
        "late: updates whose handler had not started when the prompt's promise resolved, in all rounds together",
      ],
      columns: ["transport", "", ...MEASURES.flatMap(([name]) => [name, "of our stdio's"]), "late"],
      rows: PAIRS.map((pair) => [
        pair.transport,
        pair.library,
        ...MEASURES.flatMap((measure) => [
          `${median(results, nameOf(pair), measure).toFixed(1)} µs`,
          `${ratioOf(pair, measure).toFixed(2)}×`,
        ]),
        `${countLate(results, nameOf(pair))}`,
      ]),
      goals: PAIRS.flatMap((pair): Goal[] =>
        pair.target === undefined
          ? []
          : [
              {
                what: `${nameOf(pair)}: CPU, of our stdio's`,
                bound: "at most",
                target: pair.target,
                measured: ratioOf(pair, CPU),
                unit: "×",
              },
            ],
      ),
    };
  } finally {
    remove();
  }
}

function nameOf({ library, transport }: Pair): string {
  return `${library}, ${transport}`;
}
