import { interleave } from "../interleave.js";
import { formatRatio, THREE_DIGITS, type Report } from "../report.js";
import { calling, checkOf, DECODERS, loadLibraries, ZOD, type Library } from "./libraries.js";
import { loadSamples, type Samples } from "./samples.js";
import { drawStreamingMix } from "./streaming-mix.js";

const ROUNDS = { warmup: 5, measured: 31 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 100_000;

/** Checks on a stream of messages as an editor sees it. */
export async function compareThroughput(): Promise<Report> {
  const samples = loadSamples();
  const libraries = await loadLibraries();
  const messages = drawStreamingMix(samples.valid);
  const results = interleave(
    libraries.map((library) => {
      const calls = messages.map(({ def, value }) => ({ check: checkOf(library, def), value }));
      return calling(library.name, calls, TURN);
    }),
    ROUNDS,
  );
  // Only now: the odd values among the samples would keep the engine from specializing the code.
  for (const library of libraries) requireCorrect(library, samples);
  const cpuOf = (name: string): number => results.find((result) => result.name === name)!.cpu;
  const size = messages.reduce((sum, { text }) => sum + text.length, 0) / messages.length;
  return {
    title: "Checks: the streaming mix, time per message",
    notes: [
      `${messages.length} messages of ${size.toFixed(0)} characters on average, drawn from test/fixtures/corpus`,
      `all are right about ${samples.valid.length} valid and ${samples.invalid.length} invalid values`,
      `CPU time: medians of ${ROUNDS.measured} interleaved rounds, after ${ROUNDS.warmup} that are not counted`,
    ],
    columns: ["check", "CPU", "vs zod"],
    rows: results.map(({ name, cpu }) => [
      name,
      `${THREE_DIGITS.format(1e9 * cpu)} ns`,
      formatRatio(cpuOf(ZOD) / cpu),
    ]),
    goals: [
      {
        what: `decode is faster than ${ZOD}`,
        bound: "at least",
        target: 100,
        measured: cpuOf(ZOD) / cpuOf(DECODERS),
        unit: "×",
      },
    ],
  };
}

/** Throws an error if a library is wrong about a value: its time would mean nothing. */
function requireCorrect(library: Library, { valid, invalid }: Samples): void {
  const wrong =
    valid.find(({ def, value }) => !checkOf(library, def)(value)) ??
    invalid.find(({ def, value }) => checkOf(library, def)(value));
  if (wrong === undefined) return;
  const text = JSON.stringify(wrong.value).slice(0, 200);
  throw new Error(`${library.name} is wrong about this ${wrong.def}: ${text}`);
}
