import { join } from "node:path";
import { runToEnd, type Ended } from "../../support/processes.js";
import { PYTHON, PYTHON_ENV } from "../../python/python-env.js";
import { writeUpdates } from "../dispatch/updates.js";
import { interleave, summarize } from "../interleave.js";
import { ROOT } from "../paths.js";
import { findResult, roundsNote, THREE_DIGITS, type Goal, type Report } from "../report.js";

/** What the program prints about the codecs. */
interface Codecs {
  readonly version: string;
  readonly messages: number;
  /** For each implementation, the nanoseconds of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
}

const TURN = join(ROOT, "test/bench/python/turn.py");
const ROUNDS = { warmup: 1, measured: 5 };
const UPDATES = 20_000;

/** The Python package beside json and the official package; without them, no report and a line that says so. */
export async function comparePython(): Promise<Report[]> {
  if (runPython(["-c", "import acp, acp_bindings"]).code !== 0) {
    process.stdout.write("python: skipped, since the official package is not here\n\n");
    return [];
  }
  const updates = await writeUpdates();
  try {
    const program = join(ROOT, "test/bench/python/codecs.py");
    const { code, out, err } = runPython([program, updates.file]);
    if (code !== 0) throw new Error(err);
    return [reportCodecs(JSON.parse(out) as Codecs), compareTurns(updates.file)];
  } finally {
    updates.remove();
  }
}

function reportCodecs({ version, messages, rounds }: Codecs): Report {
  const medians = new Map(
    Object.entries(rounds).map(([name, costs]) => [name, summarize(costs).median]),
  );
  const of = (name: string): number => medians.get(name)!;
  return {
    title: `Python ${version}: the codec beside json and the official package`,
    notes: [
      `${messages} session updates of the streaming mix, from and to JSON text, with all checks; the official package has a core in Rust`,
      "CPU time of a message: medians of interleaved rounds",
    ],
    columns: ["", "median"],
    rows: [...medians].map(([name, value]) => [name, `${(value / 1000).toFixed(2)} µs`]),
    goals: [
      {
        ...atMost("decode, of the official package's", 1.5),
        measured: of("decode") / of("official package: decode"),
      },
      {
        ...atMost("encode, of the official package's", 1),
        measured: of("encode") / of("official package: encode"),
      },
    ],
  };
}

/** Compares prompt turns between a client and the agent that it has started, without the cost of their start. */
function compareTurns(file: string): Report {
  const seconds = (name: string, count: number): number => {
    const { code, out, err } = runPython([TURN, "client", name, file, `${count}`]);
    if (code !== 0) throw new Error(err);
    return Number(out) / UPDATES;
  };
  const results = interleave(
    ["ours", "official"].map((name) => ({
      name,
      run: () => {
        const cpu = seconds(name, UPDATES) - seconds(name, 0);
        return { cpu, wall: cpu };
      },
    })),
    ROUNDS,
  );
  const of = (name: string): number => findResult(results, name).cpu.median;
  return {
    title: "Python: a prompt turn over stdio, per update",
    notes: [
      roundsNote(ROUNDS),
      `CPU time of both processes for ${UPDATES} updates, each awaited, less that of a turn without updates`,
    ],
    columns: ["", "CPU"],
    rows: results.map(({ name, cpu }) => [
      name,
      `${THREE_DIGITS.format(cpu.median * 1_000_000)} µs`,
    ]),
    goals: [
      {
        ...atMost("turn, of the official package's", 1 / 2.3),
        measured: of("ours") / of("official"),
      },
    ],
  };
}

function atMost(what: string, target: number): Omit<Goal, "measured"> {
  return { what: `Python: ${what}`, bound: "at most", target, unit: "×" };
}

function runPython(args: readonly string[]): Ended {
  return runToEnd(PYTHON, args, { cwd: ROOT, env: PYTHON_ENV });
}
