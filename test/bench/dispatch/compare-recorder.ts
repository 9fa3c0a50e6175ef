import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { schedule, summarize } from "../interleave.js";
import { COMMAND, requireFile } from "../paths.js";
import { roundsNote, type Report } from "../report.js";

const ROUNDS = { warmup: 1, measured: 9 };
const MESSAGES = 40_000;
/** The most that a message may cost, in microseconds of CPU. */
const MESSAGE_TARGET = 8;
/** The most that the start may cost besides that of Node, in milliseconds of CPU. */
const START_TARGET = 80;

/** Prints updates one by one when it gets a line. */
const AGENT = `
const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "some words of text" } };
const line = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update } }) + "\\n";
process.stdin.once("data", (text) => {
  for (let left = Number(text); left > 0; left--) process.stdout.write(line);
});
process.stdout.write("ready\\n");`;

/** Writes the CPU time of a process to its fourth descriptor when it ends. */
const METER = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from "node:fs";
process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, String(user + system));
});`)}`;

interface Run {
  /** Until the first output, in milliseconds. */
  readonly startMs: number;
  /** The CPU time of the first process, in microseconds. */
  readonly cpu: number;
}

/** What a recorded agent costs beside the same agent on its own. */
export async function compareRecorder(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "acp-recorder-"));
  try {
    return await report(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function report(folder: string): Promise<Report> {
  const file = join(folder, "recording.ndjson");
  const inspect = [requireFile(COMMAND), "inspect", "--quiet", "--record", file, "--"];
  const agent = ["-e", AGENT];
  const recorded = [...inspect, process.execPath, ...agent];
  const runs = [
    { name: "Node alone", args: ["-e", "process.stdout.write('ready\\n')"], count: 0 },
    { name: "the agent", args: agent, count: MESSAGES },
    { name: "recorded, no message", args: recorded, count: 0 },
    { name: `recorded, ${MESSAGES} messages`, args: recorded, count: MESSAGES },
  ];
  const taken = runs.map((): Run[] => []);
  for (const { place, counts } of schedule(runs.length, ROUNDS)) {
    rmSync(file, { force: true });
    const run = await measure(runs[place]!.args, runs[place]!.count);
    if (counts) taken[place]!.push(run);
    if (runs[place]!.args === recorded && statSync(file).size < runs[place]!.count * 100)
      throw new Error("the recording does not have every message");
  }
  const starts = taken.map((list) => summarize(list.map(({ startMs }) => startMs)).median);
  const cpus = taken.map((list) => summarize(list.map(({ cpu }) => cpu)).median);
  const perMessage = (cpus[3]! - cpus[2]!) / MESSAGES;
  return {
    title: "Recorder: an agent behind inspect --",
    notes: [
      `an agent that writes ${MESSAGES} updates one by one; CPU of the first process only`,
      roundsNote(ROUNDS),
    ],
    columns: ["", "to the first output", "CPU"],
    rows: runs.map(({ name }, place) => [
      name,
      `${starts[place]!.toFixed(0)} ms`,
      `${(cpus[place]! / 1000).toFixed(0)} ms`,
    ]),
    goals: [
      {
        what: "CPU of the recorder's start, besides Node's own",
        bound: "at most",
        target: START_TARGET,
        measured: (cpus[2]! - cpus[0]!) / 1000,
        unit: " ms",
      },
      {
        what: "CPU of the recorder for a message",
        bound: "at most",
        target: MESSAGE_TARGET,
        measured: perMessage,
        unit: " µs",
      },
    ],
  };
}

async function measure(args: readonly string[], count: number): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, ["--import", METER, ...args], {
    stdio: ["pipe", "pipe", "inherit", "pipe"],
  });
  let cpu = "";
  child.stdio[3]!.on("data", (text: Buffer) => (cpu += text.toString()));
  const closed = once(child, "close");
  await once(child.stdout!, "data");
  const startMs = performance.now() - began;
  child.stdout!.resume();
  child.stdin!.on("error", () => {});
  child.stdin!.end(`${count}\n`);
  await closed;
  return { startMs, cpu: Number(cpu) };
}
