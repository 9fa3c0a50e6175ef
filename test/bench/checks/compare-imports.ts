import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { interleave, type Implementation, type Cost, type Result } from "../interleave.js";
import { bindings, sdkZod } from "../paths.js";
import { findResult, roundsNote, resultCells, resultColumns, type Report } from "../report.js";
import { OURS, ZOD } from "./libraries.js";

const ROUNDS = { warmup: 2, measured: 31 };
const SCRIPT = fileURLToPath(new URL("import.mjs", import.meta.url));
const EMPTY = "an empty module";

/** The cost of importing the validators when a program starts. */
export function compareImports(): Report {
  const implementations = [
    importing(OURS, pathToFileURL(bindings("v1/schemas")).href),
    importing(ZOD, pathToFileURL(sdkZod()).href),
    importing("ajv, one compiled at start", new URL("ajv-at-run-time.mjs", import.meta.url).href),
    importing(EMPTY, "data:text/javascript,"),
  ];
  const results = interleave(implementations, ROUNDS);
  const peer = findResult(results, ZOD);
  const empty = findResult(results, EMPTY);
  const added = ({ cpu }: Result): number => (cpu.median - empty.cpu.median) * 1000;
  return {
    title: "Validators: cold import of all of v1",
    notes: [
      "each in a new process, as shipped, from before to after the import",
      roundsNote(ROUNDS),
    ],
    columns: ["module", ...resultColumns("zod"), "CPU above empty"],
    rows: results.map((result) => [
      result.name,
      ...resultCells(result, peer),
      `${added(result).toFixed(1)} ms`,
    ]),
    goals: [
      {
        what: `${OURS}: import, CPU time above an empty module`,
        bound: "at most",
        target: 5,
        measured: added(findResult(results, OURS)),
        unit: " ms",
      },
    ],
  };
}

function importing(name: string, url: string): Implementation {
  const run = (): Cost =>
    JSON.parse(execFileSync(process.execPath, [SCRIPT, url], { encoding: "utf8" })) as Cost;
  return { name, run };
}
