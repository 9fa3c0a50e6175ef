import { interleave, type Contestant } from "../interleave.js";
import {
  cpuRatio,
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Report,
} from "../report.js";
import { calling } from "./calls.js";
import { checkOf, DECODERS, loadLibraries, type Check } from "./libraries.js";
import { loadSamples } from "./samples.js";
import { drawStreamingMix, type Message } from "./streaming-mix.js";

const ROUNDS = { warmup: 6, measured: 61 };
/** Microseconds of CPU time that a turn takes. */
const TURN = 60_000;
const ALONE = "JSON.parse alone";

/** What a check adds to a message that has to be parsed anyway: each text is parsed, then checked. */
export async function compareParsing(): Promise<Report> {
  const samples = loadSamples();
  const libraries = await loadLibraries();
  const messages = drawStreamingMix(samples.valid);
  const parsing = (name: string, checkFor: (message: Message) => Check): Contestant => {
    const calls = messages.map((message) => ({
      check: afterParsing(checkFor(message)),
      value: message.text,
    }));
    return calling(name, calls, TURN);
  };
  const standings = interleave(
    [
      parsing(ALONE, () => isAnything),
      ...libraries.map((library) =>
        parsing(`… and ${library.name}`, ({ def }) => checkOf(library, def)),
      ),
    ],
    ROUNDS,
  );
  const alone = findStanding(standings, ALONE);
  const own = findStanding(standings, `… and ${DECODERS}`);
  return {
    title: "Validators: parsing and checking the streaming mix, time per message",
    notes: [
      "the texts are parsed anew each time, so every check meets a fresh object",
      roundsNote(ROUNDS),
    ],
    columns: ["work", ...standingColumns("parsing"), "times parsing"],
    rows: standings.map((standing) => [
      standing.name,
      ...standingCells(standing, alone),
      `${cpuRatio(standing, alone).toFixed(3)}×`,
    ]),
    goals: [
      {
        what: "JSON.parse and decode, times JSON.parse alone",
        bound: "at most",
        target: 1.1,
        measured: cpuRatio(own, alone),
        unit: "×",
      },
    ],
  };
}

function afterParsing(check: Check): Check {
  return (text) => check(JSON.parse(text as string));
}

function isAnything(value: unknown): boolean {
  return value !== undefined;
}
