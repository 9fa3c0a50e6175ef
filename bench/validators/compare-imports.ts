import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { interleave, type Contestant, type Cost, type Standing } from "../interleave.js";
import { ourDecoders, ourValidators, sdkZod } from "../paths.js";
import {
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Goal,
  type Report,
} from "../report.js";
import { DECODERS, OURS, ZOD } from "./libraries.js";

const ROUNDS = { warmup: 2, measured: 31 };
const SCRIPT = fileURLToPath(new URL("import.mjs", import.meta.url));
const EMPTY = "an empty module";

/** What it costs to import the validators when a program starts. */
export function compareImports(): Report {
  const contestants = [
    importing(DECODERS, pathToFileURL(ourDecoders()).href),
    importing(OURS, pathToFileURL(ourValidators()).href),
    importing(ZOD, pathToFileURL(sdkZod()).href),
    importing("ajv, one compiled at start", new URL("ajv-at-run-time.mjs", import.meta.url).href),
    importing(EMPTY, "data:text/javascript,"),
  ];
  const standings = interleave(contestants, ROUNDS);
  const peer = findStanding(standings, ZOD);
  const empty = findStanding(standings, EMPTY);
  const added = ({ cpu }: Standing): number => (cpu.median - empty.cpu.median) * 1000;
  return {
    title: "Validators: cold import of all of v1",
    notes: [
      "each in a new process, as shipped, from before to after the import",
      roundsNote(ROUNDS),
    ],
    columns: ["module", ...standingColumns("zod"), "CPU above empty"],
    rows: standings.map((standing) => [
      standing.name,
      ...standingCells(standing, peer),
      `${added(standing).toFixed(1)} ms`,
    ]),
    goals: [DECODERS, OURS].map((name): Goal => ({
      what: `${name}: import, CPU time above an empty module`,
      bound: "at most",
      target: 5,
      measured: added(findStanding(standings, name)),
      unit: " ms",
    })),
  };
}

function importing(name: string, url: string): Contestant {
  const run = (): Cost =>
    JSON.parse(execFileSync(process.execPath, [SCRIPT, url], { encoding: "utf8" })) as Cost;
  return { name, run };
}
