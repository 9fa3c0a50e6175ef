import { interleave } from "../interleave.js";
import {
  cpuRatio,
  findResult,
  resultCells,
  resultColumns,
  roundsNote,
  type Report,
} from "../report.js";
import {
  AJV,
  AJV_TAGS,
  calling,
  checkOf,
  DECODERS,
  loadLibraries,
  ZOD,
  type Library,
} from "./libraries.js";
import { loadSamples, type Samples } from "./samples.js";
import { drawStreamingMix } from "./streaming-mix.js";

const ROUNDS = { warmup: 5, measured: 31 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 100_000;
const PARSE = "JSON.parse alone";

/** How many times as fast as these decoding should be. */
const TARGETS: { readonly [peer: string]: number } = { [ZOD]: 100, [AJV]: 2.5, [AJV_TAGS]: 2.5 };

/** Checks on a stream of messages as an editor sees it, and `JSON.parse` as the baseline. */
export async function compareThroughput(): Promise<Report> {
  const samples = loadSamples();
  const libraries = await loadLibraries();
  const messages = drawStreamingMix(samples.valid);
  const results = interleave(
    [
      ...libraries.map((library) => {
        const calls = messages.map(({ def, value }) => ({ check: checkOf(library, def), value }));
        return calling(library.name, calls, TURN);
      }),
      calling(
        PARSE,
        messages.map(({ text }) => ({ check: parses, value: text })),
        TURN,
      ),
    ],
    ROUNDS,
  );
  // Only now: the odd values among the samples would keep the engine from specializing the code.
  const exceptions = libraries.map((library) => describeErrors(library, samples));
  const peer = findResult(results, ZOD);
  const own = findResult(results, DECODERS);
  const size = messages.reduce((sum, { text }) => sum + text.length, 0) / messages.length;
  return {
    title: "Checks: the streaming mix, time per message",
    notes: [
      `${messages.length} messages of ${size.toFixed(0)} characters on average, drawn from test/fixtures/corpus`,
      `all are right about ${samples.valid.length} valid and ${samples.invalid.length} invalid values${exceptions.join("")}`,
      roundsNote(ROUNDS),
    ],
    columns: ["check", ...resultColumns("zod"), "ours by CPU", "throughput by CPU"],
    rows: results.map((result) => [
      result.name,
      ...resultCells(result, peer),
      `${cpuRatio(result, own).toPrecision(3)}×`,
      `${(1e-3 / result.cpu.median).toFixed(0)} thousand/s`,
    ]),
    claim: ["time to check a message", "1", `${Math.round(cpuRatio(peer, own) / 10) * 10} times`],
    goals: Object.entries(TARGETS).map(([name, target]) => ({
      what: `decode is faster than ${name}`,
      bound: "at least",
      target,
      measured: cpuRatio(findResult(results, name), own),
      unit: "×",
    })),
  };
}

/**
 * A check that is fast because it is wrong has no place in the table, unless
 * the table says what it cannot see.
 */
function describeErrors(library: Library, { valid, invalid }: Samples): string {
  const wrong = [
    ...valid.filter(({ def, value }) => !checkOf(library, def)(value)),
    ...invalid.filter(({ def, value }) => checkOf(library, def)(value)),
  ];
  if (wrong.length === 0) return "";
  if (library.blindTo !== undefined)
    return `; ${library.name}: except ${wrong.length} (${library.blindTo})`;
  const { def, value } = wrong[0]!;
  const text = JSON.stringify(value).slice(0, 200);
  throw new Error(`${library.name} is wrong about this ${def}: ${text}`);
}

function parses(text: unknown): boolean {
  return JSON.parse(text as string) !== undefined;
}
