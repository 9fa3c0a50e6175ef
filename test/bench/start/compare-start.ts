import { spawnSync } from "node:child_process";
import { findResult, roundsNote, THREE_DIGITS, type Report } from "../report.js";
import { interleave, type Cost } from "../interleave.js";
import { ROOT } from "../paths.js";

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

/** Compares the time from the start of an agent's process to its end, with an answer to `initialize` in between. */
export function compareStart(): Report {
  const results = interleave(
    Object.entries(AGENTS).map(([name, program]) => ({ name, run: () => start(program) })),
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

function start(program: string): Cost {
  const before = process.hrtime.bigint();
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "--eval", program],
    {
      cwd: ROOT,
      input: `${JSON.stringify(INITIALIZE)}\n`,
      encoding: "utf8",
    },
  );
  const wall = Number(process.hrtime.bigint() - before) / 1e9;
  if (!stdout.includes('"protocolVersion":1')) throw new Error(`no answer: ${stdout}${stderr}`);
  return { cpu: wall, wall };
}
