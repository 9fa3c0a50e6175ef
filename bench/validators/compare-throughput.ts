import { interleave, type Contestant, type Cost } from "../interleave.js";
import {
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Report,
} from "../report.js";
import { loadLibraries, ZOD, type Check, type Library } from "./libraries.js";
import { loadSamples, type Sample, type Samples } from "./samples.js";
import { drawStreamingMix, type Message } from "./streaming-mix.js";

/** One call: what is called, and with what. */
interface Call {
  readonly check: Check;
  readonly value: unknown;
}

const ROUNDS = { warmup: 5, measured: 25 };
/** A turn goes over the mix until it has used this much CPU time, in microseconds. */
const TURN = 150_000;

/** The validators on a stream of messages as an editor sees it, and `JSON.parse` as the floor. */
export async function compareThroughput(): Promise<Report> {
  const samples = loadSamples();
  const libraries = await loadLibraries();
  const messages = drawStreamingMix(samples.valid);
  const standings = interleave(
    [
      ...libraries.map((library) => contestant(library.name, callsOf(library, messages))),
      contestant("JSON.parse alone", messages.map(parseCall)),
    ],
    ROUNDS,
  );
  // Only now: the odd values among the samples would keep the engine from specializing the code.
  for (const library of libraries) verify(library, samples);
  const peer = findStanding(standings, ZOD);
  const size = messages.reduce((sum, { text }) => sum + text.length, 0) / messages.length;
  return {
    title: "Validators: the streaming mix, time per message",
    notes: [
      `${messages.length} messages of ${size.toFixed(0)} characters on average, drawn from ${samples.source}`,
      `all of them are right about ${samples.valid.length} valid and ${samples.invalid.length} invalid values`,
      roundsNote(ROUNDS),
    ],
    columns: ["validator", ...standingColumns("zod"), "throughput by CPU"],
    rows: standings.map((standing) => [
      standing.name,
      ...standingCells(standing, peer),
      `${(1e-3 / standing.cpu.median).toFixed(0)} thousand/s`,
    ]),
  };
}

/** A validator that is quick because it is wrong has no place in the table. */
function verify(library: Library, { valid, invalid }: Samples): void {
  const expectVerdict = (verdict: boolean) => (sample: Sample) => {
    if (checkOf(library, sample.def)(sample.value) === verdict) return;
    const text = JSON.stringify(sample.value).slice(0, 200);
    throw new Error(`${library.name} is wrong about this ${sample.def}: ${text}`);
  };
  valid.forEach(expectVerdict(true));
  invalid.forEach(expectVerdict(false));
}

function callsOf(library: Library, messages: readonly Message[]): Call[] {
  return messages.map(({ def, value }) => ({ check: checkOf(library, def), value }));
}

function checkOf(library: Library, def: string): Check {
  const check = library.checkOf(def);
  if (check === undefined) throw new Error(`${library.name} has no validator for ${def}`);
  return check;
}

function parseCall({ text }: Message): Call {
  return { check: parses, value: text };
}

function parses(text: unknown): boolean {
  return JSON.parse(text as string) !== undefined;
}

function contestant(name: string, calls: readonly Call[]): Contestant {
  return { name, run: () => costOfOne(calls) };
}

/** The cost of one call on average; CPU time includes what the garbage collector's threads use. */
function costOfOne(calls: readonly Call[]): Cost {
  const started = performance.now();
  const before = process.cpuUsage();
  let count = 0;
  let used = 0;
  while (used < TURN) {
    for (const { check, value } of calls) if (!check(value)) throw new Error("a message fails");
    count += calls.length;
    const { user, system } = process.cpuUsage(before);
    used = user + system;
  }
  return { cpu: used / 1e6 / count, wall: (performance.now() - started) / 1e3 / count };
}
