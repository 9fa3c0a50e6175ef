import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runToEnd, type Ended } from "../../support/processes.js";
import { PYTHON, PYTHON_ENV } from "../../python/python-env.js";
import { writeUpdates } from "../dispatch/updates.js";
import { interleave, summarize, type Cost } from "../interleave.js";
import { ROOT } from "../paths.js";
import { findResult, roundsNote, THREE_DIGITS, type Goal, type Report } from "../report.js";

/** What the program prints about the codecs. */
interface Codecs {
  readonly version: string;
  readonly messages: number;
  /** For each implementation, the nanoseconds of a message in each round. */
  readonly rounds: { readonly [name: string]: readonly number[] };
}

const ROUNDS = { warmup: 1, measured: 9 };

const TURN = join(ROOT, "test/bench/python/turn.py");
const TURN_ROUNDS = { warmup: 1, measured: 5 };
const UPDATES = 20_000;

const EMPTY = "import asyncio";
const OURS = "an agent of acp_bindings";
const OFFICIAL = "an agent of the official package";

const INITIALIZE =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}\n';

/** Programs that answer `initialize` and end with their input, by name. */
const AGENTS: { readonly [name: string]: string } = {
  [EMPTY]: `import asyncio, sys
sys.stdin.readline()
print('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}')`,
  [OURS]: `import asyncio
from acp_bindings import serve
from acp_bindings.v1 import Agent, types

class Bench(Agent):
    async def session_new(self, params, context):
        return types.NewSessionResponse(session_id="s")

    async def session_prompt(self, params, context):
        return types.PromptResponse(stop_reason="end_turn")

asyncio.run(serve(Bench(info=types.Implementation(name="bench", version="1.0.0"))))`,
  [OFFICIAL]: `import asyncio
from acp import Agent, InitializeResponse, run_agent

class Bench(Agent):
    def on_connect(self, conn):
        pass

    async def initialize(self, protocol_version, **more):
        return InitializeResponse(protocol_version=protocol_version)

asyncio.run(run_agent(Bench()))`,
};

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
    return [
      reportCodecs(JSON.parse(out) as Codecs),
      compareTurns(updates.file),
      ...[true, false].map(compareStarts),
    ];
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
    TURN_ROUNDS,
  );
  const of = (name: string): number => findResult(results, name).cpu.median;
  return {
    title: "Python: a prompt turn over stdio, per update",
    notes: [
      roundsNote(TURN_ROUNDS),
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

/** Compares the time from the start of an agent's process to its end, with an answer to `initialize` in between. */
function compareStarts(hasBytecode: boolean): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-bench-"));
  const variables = hasBytecode
    ? { PYTHONPYCACHEPREFIX: folder }
    : { PYTHONPYCACHEPREFIX: folder, PYTHONDONTWRITEBYTECODE: "1" };
  try {
    const results = interleave(
      Object.entries(AGENTS).map(([name, program]) => ({
        name,
        run: () => start(program, variables),
      })),
      ROUNDS,
    );
    const empty = findResult(results, EMPTY).wall.median;
    const above = (name: string): number => (findResult(results, name).wall.median - empty) * 1000;
    return {
      title: `Python: a process that answers initialize, to its end, ${hasBytecode ? "with" : "without"} bytecode`,
      notes: [roundsNote(ROUNDS)],
      columns: ["", "wall", `above ${EMPTY}`],
      rows: results.map(({ name, wall }) => [
        name,
        `${THREE_DIGITS.format(wall.median * 1000)} ms`,
        `${THREE_DIGITS.format(above(name))} ms`,
      ]),
      goals: [{ ...atMost(`start above ${EMPTY}`, 40, " ms"), measured: above(OURS) }],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function start(program: string, variables: Readonly<Record<string, string>>): Cost {
  const before = process.hrtime.bigint();
  const { out, err } = runPython(["-c", program], INITIALIZE, variables);
  const wall = Number(process.hrtime.bigint() - before) / 1e9;
  if (!out.includes('"protocolVersion":1')) throw new Error(`no answer: ${out}${err}`);
  return { cpu: wall, wall };
}

function atMost(what: string, target: number, unit = "×"): Omit<Goal, "measured"> {
  return { what: `Python: ${what}`, bound: "at most", target, unit };
}

function runPython(
  args: readonly string[],
  input = "",
  variables: Readonly<Record<string, string>> = {},
): Ended {
  return runToEnd(PYTHON, args, { cwd: ROOT, input, env: { ...PYTHON_ENV, ...variables } });
}
