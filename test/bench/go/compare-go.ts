import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildBesidePeer, PEER, VERSION } from "../../go/peer-module.js";
import { HAS_GO, run } from "../../go/toolchain.js";
import { ROOT } from "../../support/paths.js";
import { writeUpdates } from "../dispatch/updates.js";
import { schedule, summarize } from "../interleave.js";
import type { Goal, Report } from "../report.js";

/** What the program prints about the codecs. */
interface Codecs {
  readonly go: string;
  readonly messages: number;
  /** For each implementation, the nanoseconds of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
  readonly allocations: { readonly [name: string]: number };
}

/** What a process has used; the time in seconds. */
interface Cost {
  readonly cpu: number;
  readonly allocations: number;
}

/** What the program prints about turns over stdio. */
interface Turns {
  readonly updates: number;
  readonly client: Cost;
  readonly agent: Cost;
}

const FILES = ["main", "codecs", "own", "sdk"];
const IMPLEMENTATIONS = ["own", "acp-go-sdk"] as const;
const ROUNDS = { warmup: 1, measured: 9 };
const TURNS = 50;
/** More of them in a turn may fill the queue of the community module, which ends its connection. */
const UPDATES = 1000;

/** The Go module beside encoding/json and the community module; without Go, no report and a line that says so. */
export async function compareGo(): Promise<Report[]> {
  if (!HAS_GO) {
    process.stdout.write("go: skipped, since go is not here\n\n");
    return [];
  }
  const source = (name: string): string =>
    readFileSync(join(ROOT, `test/bench/go/${name}.go.txt`), "utf8");
  const files = Object.fromEntries(FILES.map((name) => [`${name}.go`, source(name)]));
  const program = buildBesidePeer("bench", files);
  const updates = await writeUpdates();
  try {
    const codecs = JSON.parse(print(program, ["codecs", updates.file])) as Codecs;
    return [reportCodecs(codecs), reportTurns(measureTurns(program, updates.file))];
  } finally {
    updates.remove();
  }
}

function print(program: string, args: readonly string[]): string {
  const { code, out, err } = run(program, args);
  if (code !== 0) throw new Error(err);
  return out;
}

/** Lets both implementations take turns, each with processes of its own. */
function measureTurns(program: string, updates: string): readonly Turns[][] {
  const taken = IMPLEMENTATIONS.map((): Turns[] => []);
  for (const { place, counts } of schedule(IMPLEMENTATIONS.length, ROUNDS)) {
    const args = ["client", IMPLEMENTATIONS[place]!, updates, `${UPDATES}`, `${TURNS}`];
    const turns = JSON.parse(print(program, args)) as Turns;
    if (turns.updates !== TURNS * UPDATES) throw new Error(`${turns.updates} updates have come`);
    if (counts) taken[place]!.push(turns);
  }
  return taken;
}

function reportCodecs({ go, messages, rounds, allocations }: Codecs): Report {
  const medians = new Map(
    Object.entries(rounds).map(([name, costs]) => [name, summarize(costs).median]),
  );
  const of = (name: string): number => medians.get(name)!;
  return {
    title: `${go}: the codec beside encoding/json and ${PEER} ${VERSION}`,
    notes: [
      `${messages} session updates of the streaming mix, decoded with defaults and checks`,
      "time and allocations of a message: medians of interleaved rounds",
    ],
    columns: ["", "median", "allocations"],
    rows: [...medians].map(([name, value]) => [
      name,
      `${value.toFixed(0)} ns`,
      allocations[name]!.toFixed(1),
    ]),
    goals: [
      atLeast("decode, faster than acp-go-sdk", 10, of("acp-go-sdk: decode") / of("decode")),
      atLeast("encode, faster than acp-go-sdk", 15, of("acp-go-sdk: encode") / of("encode")),
      atLeast(
        "decode, faster than json.Unmarshal to any",
        2.5,
        of("json.Unmarshal to any") / of("decode"),
      ),
      atLeast(
        "encode, faster than json.Marshal of any",
        3,
        of("json.Marshal of any") / of("encode"),
      ),
    ],
  };
}

function reportTurns(taken: readonly Turns[][]): Report {
  const median = (turns: readonly Turns[], of: (one: Turns) => number): number =>
    summarize(turns.map((one) => of(one) / one.updates)).median;
  const cpu = taken.map((turns) => median(turns, ({ client, agent }) => client.cpu + agent.cpu));
  const allocations = taken.map((turns) =>
    median(turns, ({ client, agent }) => client.allocations + agent.allocations),
  );
  const micro = (seconds: number): string => `${(seconds * 1e6).toFixed(2)} µs`;
  return {
    title: `Go: prompt turns over stdio beside ${PEER} ${VERSION}, per update`,
    notes: [
      `${TURNS} turns of ${UPDATES} updates; each process reads its own CPU time and allocations`,
      `medians of ${ROUNDS.measured} interleaved rounds, after ${ROUNDS.warmup} that are not counted`,
    ],
    columns: ["", "CPU, both", "client", "agent", "allocations, both", "client", "agent"],
    rows: IMPLEMENTATIONS.map((name, place) => {
      const turns = taken[place]!;
      return [
        name,
        micro(cpu[place]!),
        micro(median(turns, ({ client }) => client.cpu)),
        micro(median(turns, ({ agent }) => agent.cpu)),
        allocations[place]!.toFixed(1),
        median(turns, ({ client }) => client.allocations).toFixed(1),
        median(turns, ({ agent }) => agent.allocations).toFixed(1),
      ];
    }),
    goals: [
      atLeast("updates per CPU second, of acp-go-sdk's", 3, cpu[1]! / cpu[0]!),
      {
        what: "allocations of an update, of acp-go-sdk's",
        bound: "at most",
        target: 0.1,
        measured: allocations[0]! / allocations[1]!,
        unit: "×",
      },
    ],
  };
}

function atLeast(what: string, target: number, measured: number): Goal {
  return { what, bound: "at least", target, measured, unit: "×" };
}
