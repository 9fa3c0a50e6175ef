import { interleave } from "../interleave.js";
import {
  cpuRatio,
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Goal,
  type Report,
} from "../report.js";
import { calling, type Call } from "./calls.js";
import {
  AJV,
  AJV_CODE,
  AJV_TAGS,
  checkOf,
  DECODERS,
  loadLibraries,
  loadPreparedLibraries,
  TYPIA,
  ZOD,
  ZOD_UNIONS,
  type Library,
} from "./libraries.js";
import { definitionsOf, loadSamples, type Samples } from "./samples.js";
import { drawStreamingMix, type Message } from "./streaming-mix.js";

const ROUNDS = { warmup: 5, measured: 31 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 100_000;
const PARSE = "JSON.parse alone";

/** How many times as fast as these decoding is to be. */
const TARGETS: { readonly [peer: string]: number } = {
  [ZOD]: 120,
  [ZOD_UNIONS]: 5,
  [AJV]: 2.5,
  [AJV_TAGS]: 2.5,
  [AJV_CODE]: 2.5,
};

/** The validators on a stream of messages as an editor sees it, and `JSON.parse` as the floor. */
export async function compareThroughput(): Promise<Report> {
  const samples = loadSamples();
  const libraries = [
    ...(await loadLibraries()),
    ...(await loadPreparedLibraries(definitionsOf(samples))),
  ];
  const messages = drawStreamingMix(samples.valid);
  const standings = interleave(
    [
      ...libraries.map((library) => calling(library.name, callsOf(library, messages), TURN)),
      calling(PARSE, messages.map(parseCall), TURN),
    ],
    ROUNDS,
  );
  // Only now: the odd values among the samples would keep the engine from specializing the code.
  const verdicts = libraries.map((library) => describeVerdicts(library, samples));
  const peer = findStanding(standings, ZOD);
  const own = findStanding(standings, DECODERS);
  const size = messages.reduce((sum, { text }) => sum + text.length, 0) / messages.length;
  return {
    title: "Validators: the streaming mix, time per message",
    notes: [
      `${messages.length} messages of ${size.toFixed(0)} characters on average, drawn from ${samples.source}`,
      `they are right about ${samples.valid.length} valid and ${samples.invalid.length} invalid values${verdicts.join("")}`,
      `${ZOD_UNIONS}: the SDK's schemas, their unions rewritten; ${TYPIA}: ahead of time, by its transformer`,
      roundsNote(ROUNDS),
    ],
    columns: ["validator", ...standingColumns("zod"), "ours by CPU", "throughput by CPU"],
    rows: standings.map((standing) => [
      standing.name,
      ...standingCells(standing, peer),
      `${cpuRatio(standing, own).toPrecision(3)}×`,
      `${(1e-3 / standing.cpu.median).toFixed(0)} thousand/s`,
    ]),
    goals: Object.entries(TARGETS).map(([name, target]): Goal => ({
      what: `decode is faster than ${name}`,
      bound: "at least",
      target,
      measured: cpuRatio(findStanding(standings, name), own),
      unit: "×",
    })),
  };
}

/**
 * A validator that is quick because it is wrong has no place in the table,
 * unless the table tells what it cannot see.
 */
function describeVerdicts(library: Library, { valid, invalid }: Samples): string {
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

function callsOf(library: Library, messages: readonly Message[]): Call[] {
  return messages.map(({ def, value }) => ({ check: checkOf(library, def), value }));
}

function parseCall({ text }: Message): Call {
  return { check: parses, value: text };
}

function parses(text: unknown): boolean {
  return JSON.parse(text as string) !== undefined;
}
