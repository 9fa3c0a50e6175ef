import { spawnSync } from "node:child_process";
import { inspect } from "../../generators/run/inspect/inspect.js";
import { longTranscript } from "../../test/long-transcript.js";
import { ROOT } from "../paths.js";
import { THREE_DIGITS, type Report } from "../report.js";

const MEGABYTES = 40;
const ROUNDS = 5;
/** How long the transcripts are whose memory is compared, in megabytes. */
const LENGTHS = [20, 200] as const;
const GROWTH = 48;
/** Without it, the engine takes what it can get before it collects garbage. */
const HEAP = ["--max-old-space-size=64", "--max-semi-space-size=8"];

/** How fast `acp-codegen inspect` checks recorded traffic, and how much memory it takes. */
export async function compareInspect(): Promise<Report> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of longTranscript(MEGABYTES * 1e6)) chunks.push(chunk);
  const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
  // Without its first line nothing tells where the conversation begins, so no rules are checked.
  const [first, ...rest] = chunks as [Uint8Array, ...Uint8Array[]];
  const headless = [first.subarray(first.indexOf(10) + 1), ...rest];
  const rows: string[][] = [];
  let lines = 0;
  /** Each gives the time at which it has begun: loading a profile does not count. */
  const contestants: readonly (readonly [string, () => Promise<number> | number])[] = [
    [
      "JSON.parse of each line",
      () => {
        const started = cpuSeconds();
        lines = parseAll(chunks);
        return started;
      },
    ],
    ["inspect, decoders only", () => run(headless)],
    ["inspect, with the rules of behavior", () => run(chunks)],
  ];
  for (const [name, work] of contestants) {
    const seconds: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const before = await work();
      if (round > 0) seconds.push(cpuSeconds() - before);
    }
    const median = seconds.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    rows.push([
      name,
      THREE_DIGITS.format(bytes / 1e6 / median),
      THREE_DIGITS.format(lines / median),
    ]);
  }
  const memory = LENGTHS.map(maxMemory);
  return {
    title: "Inspect: recorded traffic",
    notes: [
      `${MEGABYTES} MB in memory, ${Math.round(bytes / lines)} bytes a message; medians of ${ROUNDS} rounds, CPU time, without loading the profile`,
      `most memory of a process with a heap of 64 MB: ${memory.map((most, index) => `${THREE_DIGITS.format(most)} MB for ${LENGTHS[index]} MB`).join(", ")}`,
    ],
    columns: ["", "MB/s", "messages/s"],
    rows,
    goals: [
      {
        what: `more memory for ${LENGTHS[1]} MB than for ${LENGTHS[0]} MB`,
        bound: "at most",
        target: GROWTH,
        measured: memory[1]! - memory[0]!,
        unit: " MB",
      },
    ],
  };
}

/** Inspects all but the first piece, by which the profile is found out, and gives the time then. */
async function run(chunks: readonly Uint8Array[]): Promise<number> {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  }
  let started: number | undefined;
  const read = async (): Promise<void> => void (started ??= cpuSeconds());
  const { errors } = await inspect(pieces(), { inputs: {} }, { line: () => {}, read });
  if (errors > 0) throw new Error("the transcript is not in order");
  return started!;
}

function parseAll(chunks: readonly Uint8Array[]): number {
  const lines = Buffer.concat(chunks).toString().trimEnd().split("\n");
  for (const line of lines) JSON.parse(line);
  return lines.length;
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function maxMemory(megabytes: number): number {
  const args = [...HEAP, "--import", "tsx", "test/cli/measure-inspect.ts", String(megabytes)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { readonly most: number }).most / 1e6;
}
