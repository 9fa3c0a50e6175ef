import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readDurations, slowest } from "../support/durations.js";
import { ROOT } from "../support/paths.js";
import { printFigures, recordFigures, worseFigures, type Recorded } from "./compare.js";
import { measure, mutualFolders } from "./measure.js";

// Prints the figures of the house, and compares them with `figures.json`:
//   npm run figures                        exits with 1 if one is worse
//   npm run figures -- record ["reason"]   writes the file; a figure that is worse needs a reason

const FILE = join(ROOT, "test/house/figures.json");

process.exitCode = main(process.argv.slice(2));

function main([command, reason]: readonly string[]): number {
  const recorded = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Recorded) : {};
  const figures = measure();
  console.log(printFigures(recorded, figures));
  for (const [pair, imports] of mutualFolders()) console.log([pair, ...imports].join("\n  "));
  printDurations();
  const worse = worseFigures(recorded, figures);
  if (worse.length > 0 && (command !== "record" || !reason)) {
    const advice = 'Improve them, or record why they rose: npm run figures -- record "<reason>"';
    console.error(`error: figures worse than recorded: ${worse.join("; ")}. ${advice}`);
    return 1;
  }
  if (command === "record") {
    const text = JSON.stringify(recordFigures(recorded, figures, reason), undefined, 2);
    writeFileSync(FILE, `${text}\n`);
  }
  return 0;
}

/** Prints the cost of the slowest tests in their last run, which depends on the machine: nothing compares it. */
function printDurations(): void {
  const durations = readDurations();
  for (const [file, { wallMs, cpuMs }] of slowest(durations, 10))
    console.log(`${((cpuMs ?? wallMs) / 1000).toFixed(1).padStart(8)}  seconds of ${file}`);
}
