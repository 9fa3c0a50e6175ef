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
  type Check,
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
    goals: Object.entries(TARGETS).map(([name, target]) => ({
      what: `decode is faster than ${name}`,
      bound: "at least",
      target,
      measured: cpuRatio(findResult(results, name), own),
      unit: "×",
    })),
  };
}

/** The time that a check adds to a message that has to be parsed anyway: each text is parsed, then checked. */
export async function compareParsing(): Promise<Report> {
  const libraries = await loadLibraries();
  const messages = drawStreamingMix(loadSamples().valid);
  const parsing = (name: string, checkFor: (def: string) => Check) =>
    calling(
      name,
      messages.map(({ def, text }) => ({ check: afterParsing(checkFor(def)), value: text })),
      TURN,
    );
  const results = interleave(
    [
      parsing(PARSE, () => (value) => value !== undefined),
      ...libraries.map((library) =>
        parsing(`… and ${library.name}`, (def) => checkOf(library, def)),
      ),
    ],
    ROUNDS,
  );
  const alone = findResult(results, PARSE);
  return {
    title: "Checks: parsing and checking the streaming mix, time per message",
    notes: [
      "the texts are parsed each time, so every check gets a fresh object",
      roundsNote(ROUNDS),
    ],
    columns: ["work", ...resultColumns("parsing"), "times parsing"],
    rows: results.map((result) => [
      result.name,
      ...resultCells(result, alone),
      `${cpuRatio(result, alone).toFixed(3)}×`,
    ]),
    goals: [
      {
        what: "JSON.parse and decode, times JSON.parse alone",
        bound: "at most",
        target: 1.1,
        measured: cpuRatio(findResult(results, `… and ${DECODERS}`), alone),
        unit: "×",
      },
    ],
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

function afterParsing(check: Check): Check {
  return (text) => check(JSON.parse(text as string));
}

function parses(text: unknown): boolean {
  return JSON.parse(text as string) !== undefined;
}
