import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { interleave, type Contestant, type Cost } from "../interleave.js";
import { ourValidators, sdkZod } from "../paths.js";
import {
  findStanding,
  roundsNote,
  standingCells,
  standingColumns,
  type Report,
} from "../report.js";
import { OURS, ZOD } from "./libraries.js";

const ROUNDS = { warmup: 1, measured: 25 };
const SCRIPT = fileURLToPath(new URL("import.mjs", import.meta.url));

/** What it costs to import the validators when a program starts. */
export function compareImports(): Report {
  const contestants = [
    importing(OURS, pathToFileURL(ourValidators()).href),
    importing(ZOD, pathToFileURL(sdkZod()).href),
    importing("ajv, one compiled at start", new URL("ajv-at-run-time.mjs", import.meta.url).href),
    importing("an empty module", "data:text/javascript,"),
  ];
  const standings = interleave(contestants, ROUNDS);
  const peer = findStanding(standings, ZOD);
  return {
    title: "Validators: cold import of all of v1",
    notes: [
      "each in a new process, as shipped, from before to after the import",
      roundsNote(ROUNDS),
    ],
    columns: ["module", ...standingColumns("zod")],
    rows: standings.map((standing) => [standing.name, ...standingCells(standing, peer)]),
  };
}

function importing(name: string, url: string): Contestant {
  const run = (): Cost =>
    JSON.parse(execFileSync(process.execPath, [SCRIPT, url], { encoding: "utf8" })) as Cost;
  return { name, run };
}
