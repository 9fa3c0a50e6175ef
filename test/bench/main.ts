import { cpus, loadavg } from "node:os";
import { compareErrors } from "./checks/compare-errors.js";
import { compareSizes } from "./checks/compare-sizes.js";
import { compareThroughput } from "./checks/compare-throughput.js";
import { compareHeap } from "./dispatch/compare-heap.js";
import { compareStdio } from "./dispatch/compare-stdio.js";
import { reportCalls } from "./dispatch/count-calls.js";
import { compareGo } from "./go/compare-go.js";
import { installedVersion } from "./paths.js";
import { comparePython } from "./python/compare-python.js";
import { compareStart } from "./start/compare-start.js";
import { readmeRow, recordClaims, type Claim } from "./claims.js";
import { formatReport, isMet, type Goal, type Report } from "./report.js";

/** Every comparison by its name; `npm run bench -- <names>` runs some of them. */
const COMPARISONS: {
  readonly [name: string]: () => Report | Report[] | Promise<Report | Report[]>;
} = {
  throughput: compareThroughput,
  sizes: compareSizes,
  errors: compareErrors,
  "dispatch-stdio": compareStdio,
  "dispatch-heap": compareHeap,
  "dispatch-calls": reportCalls,
  start: compareStart,
  go: compareGo,
  python: comparePython,
};

const PEERS = ["@agentclientprotocol/sdk", "zod", "ajv", "prettier"];

process.exitCode = await main(process.argv.slice(2));

/**
 * Runs and prints the comparisons, and their rows of the README; 2 for an unknown name.
 *
 * @param given names; `record` keeps the rows, which the README must have then
 */
async function main(given: readonly string[]): Promise<number> {
  const names = given.filter((name) => name !== "record");
  const unknown = names.find((name) => !Object.hasOwn(COMPARISONS, name));
  if (unknown !== undefined) {
    const known = Object.keys(COMPARISONS).join(", ");
    process.stderr.write(`error: there is no comparison "${unknown}"; there are: ${known}\n`);
    return 2;
  }
  const [core] = cpus();
  const versions = PEERS.map((name) => `${name} ${installedVersion(name)}`);
  writeLine(
    `Node ${process.version} on ${process.platform} ${process.arch}, ${cpus().length} cores (${core?.model ?? "unknown"})`,
  );
  writeLine(`${versions.join(", ")}\n${describeLoad()}\n`);
  const goals: Goal[] = [];
  const claims: { [what: string]: Claim } = {};
  for (const name of names.length > 0 ? names : Object.keys(COMPARISONS)) {
    for (const report of [await COMPARISONS[name]!()].flat()) {
      goals.push(...report.goals);
      writeLine(formatReport(report));
      const [what, ours, peer] = report.claim ?? [];
      if (what !== undefined)
        claims[what] = { ours: ours!, peer: peer!, command: `npm run bench -- ${name}` };
    }
  }
  for (const [what, claim] of Object.entries(claims)) writeLine(readmeRow(what, claim));
  if (given.includes("record")) recordClaims(claims);
  const missed = goals.filter((goal) => !isMet(goal)).map(({ what }) => what);
  const met = `${goals.length - missed.length} of ${goals.length} targets are met`;
  writeLine(missed.length === 0 ? met : `${met}; missed: ${missed.join("; ")}`);
  writeLine(describeLoad());
  return 0;
}

/** Figures taken while others use the machine are worth less; this says whether they did. */
function describeLoad(): string {
  return `load average of the last minute: ${loadavg()[0]!.toFixed(2)} processes`;
}

function writeLine(text: string): void {
  process.stdout.write(`${text}\n`);
}
