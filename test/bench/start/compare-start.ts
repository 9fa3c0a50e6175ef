import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findResult, roundsNote, THREE_DIGITS, type Goal, type Report } from "../report.js";
import { interleave, type Cost } from "../interleave.js";
import { ROOT } from "../paths.js";
import { HAS_PYTHON, PYTHON } from "../../python/python-env.js";

const ROUNDS = { warmup: 2, measured: 15 };

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

const EMPTY = "an empty program";

/** Agents that answer `initialize` and end with their input, by name. */
const AGENTS: { readonly [name: string]: string } = {
  [EMPTY]: `process.stdin.once("data", () => process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}\\n'));`,
  ours: `import { createAgent } from "acp-bindings/v1";
import { stdio } from "acp-bindings/stdio";
createAgent({
  info: { name: "bench", version: "1.0.0" },
  handlers: { session: { new: () => ({ sessionId: "s" }), prompt: () => ({ stopReason: "end_turn" }) } },
}).connect(stdio());`,
  SDK: `import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";
agent({ name: "bench" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));`,
};

const PYTHON_EMPTY = "a program that imports asyncio";
const OFFICIAL = "the official package";

/** The same in Python. */
const PYTHON_AGENTS: { readonly [name: string]: string } = {
  [PYTHON_EMPTY]: `import asyncio
print('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}')`,
  ours: `import asyncio
from acp_bindings import serve
from acp_bindings.v1 import Agent, types
class Bench(Agent):
    async def session_new(self, params, context): return types.NewSessionResponse(session_id="s")
    async def session_prompt(self, params, context): return types.PromptResponse(stop_reason="end_turn")
asyncio.run(serve(Bench(info=types.Implementation(name="bench", version="1.0.0"))))`,
  [OFFICIAL]: `import asyncio
from acp import Agent, InitializeResponse, run_agent
class Bench(Agent):
    def on_connect(self, conn): pass
    async def initialize(self, protocol_version, **more): return InitializeResponse(protocol_version=protocol_version)
asyncio.run(run_agent(Bench()))`,
};

/** Compares starts of agents, in Node.js and in Python. */
export function compareStart(): Report[] {
  if (HAS_PYTHON) return [compareNode(), comparePython()];
  process.stdout.write("start: skipped Python, since python3 is not here\n\n");
  return [compareNode()];
}

/** Compares starts in Python, with bytecode and as after an installation that writes none. */
function comparePython(): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-start-"));
  try {
    const [plain, compiled] = ["plain", "compiled"].map((name) => join(folder, name));
    for (const copy of [plain!, compiled!])
      cpSync(join(ROOT, "out/python"), copy, {
        recursive: true,
        filter: (path) => !path.endsWith("__pycache__"),
      });
    execFileSync(PYTHON, ["-m", "compileall", "-q", compiled!]);
    const hasOfficial = spawnSync(PYTHON, ["-c", "import acp"]).status === 0;
    const run = (name: string, path: string) => () =>
      start(PYTHON, ["-c", PYTHON_AGENTS[name]!], {
        ...process.env,
        PYTHONPATH: path,
        PYTHONDONTWRITEBYTECODE: "1",
      });
    const results = interleave(
      [
        { name: PYTHON_EMPTY, run: run(PYTHON_EMPTY, compiled!) },
        { name: "ours", run: run("ours", compiled!) },
        { name: "ours, without bytecode", run: run("ours", plain!) },
        ...(hasOfficial ? [{ name: OFFICIAL, run: run(OFFICIAL, compiled!) }] : []),
      ],
      ROUNDS,
    );
    const empty = findResult(results, PYTHON_EMPTY).wall.median;
    const above = (name: string): number => (findResult(results, name).wall.median - empty) * 1000;
    const goal = (name: string): Goal => ({
      what: `Python: start of an agent, ${name}, above asyncio`,
      bound: "at most",
      target: 40,
      measured: above(name),
      unit: " ms",
    });
    return {
      title: "Start: a process in Python that answers initialize, to its end",
      notes: [roundsNote(ROUNDS)],
      columns: ["wall", "above asyncio"],
      rows: results.map(({ name, wall }) => [
        name,
        `${THREE_DIGITS.format(wall.median * 1000)} ms`,
        `${THREE_DIGITS.format(above(name))} ms`,
      ]),
      goals: [goal("ours"), goal("ours, without bytecode")],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compares the time from the start of an agent's process to its end, with an answer to `initialize` in between. */
function compareNode(): Report {
  const results = interleave(
    Object.entries(AGENTS).map(([name, program]) => ({
      name,
      run: () => start(process.execPath, ["--input-type=module", "--eval", program]),
    })),
    ROUNDS,
  );
  const empty = findResult(results, EMPTY).wall.median;
  const ratio = (name: string): number => findResult(results, name).wall.median / empty;
  return {
    title: "Start: a process that answers initialize, to its end",
    notes: [roundsNote(ROUNDS)],
    columns: ["wall", "of an empty program"],
    rows: results.map(({ name, wall }) => [
      name,
      `${THREE_DIGITS.format(wall.median * 1000)} ms`,
      `${THREE_DIGITS.format(ratio(name))}×`,
    ]),
    claim: [
      "start of an agent, in starts of an empty program",
      ratio("ours").toFixed(1),
      ratio("SDK").toFixed(1),
    ],
    goals: [
      {
        what: "start of an agent",
        bound: "at most",
        target: 1.5,
        measured: ratio("ours"),
        unit: "× an empty program",
      },
    ],
  };
}

function start(
  command: string,
  given: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Cost {
  const before = process.hrtime.bigint();
  const { stdout, stderr } = spawnSync(command, given, {
    cwd: ROOT,
    env,
    input: `${JSON.stringify(INITIALIZE)}\n`,
    encoding: "utf8",
  });
  const wall = Number(process.hrtime.bigint() - before) / 1e9;
  if (!stdout.includes('"protocolVersion":1')) throw new Error(`no answer: ${stdout}${stderr}`);
  return { cpu: wall, wall };
}
