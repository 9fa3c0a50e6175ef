import { cpus, loadavg } from "node:os";
import { compareHeap } from "./dispatch/compare-heap.js";
import { compareLatency } from "./dispatch/compare-latency.js";
import { compareOutgoing } from "./dispatch/compare-outgoing.js";
import { compareRuntimeSize } from "./dispatch/compare-runtime-size.js";
import { compareMemory, compareStdio } from "./dispatch/compare-turns.js";
import { compareGenerators } from "./generators/compare-generators.js";
import { compareRuns } from "./generators/compare-runs.js";
import { measureScaling } from "./generators/measure-scaling.js";
import { compareInspect } from "./inspect/compare-inspect.js";
import { installedVersion, MissingError } from "./paths.js";
import { formatReport, isMet, type Goal, type Report } from "./report.js";
import { compareAllocations } from "./validators/compare-allocations.js";
import { compareErrors } from "./validators/compare-errors.js";
import { compareImports } from "./validators/compare-imports.js";
import { compareParsing } from "./validators/compare-parsing.js";
import { comparePositions } from "./validators/compare-positions.js";
import { compareSizes } from "./validators/compare-sizes.js";
import { compareThroughput } from "./validators/compare-throughput.js";
import { compareTypeChecks } from "./validators/compare-type-checks.js";

/** Every comparison by its name; `npm run bench -- <names>` runs some of them. */
const COMPARISONS: { readonly [name: string]: () => Report | Promise<Report> } = {
  throughput: compareThroughput,
  parse: compareParsing,
  positions: comparePositions,
  allocations: compareAllocations,
  sizes: compareSizes,
  imports: compareImports,
  errors: compareErrors,
  types: compareTypeChecks,
  "dispatch-memory": compareMemory,
  "dispatch-stdio": compareStdio,
  "dispatch-latency": compareLatency,
  "dispatch-heap": compareHeap,
  "dispatch-outgoing": compareOutgoing,
  "runtime-size": compareRuntimeSize,
  "generator-peers": compareGenerators,
  "generator-runs": compareRuns,
  "generator-scaling": measureScaling,
  inspect: compareInspect,
};

/** Comparisons that one name stands for. */
const GROUPS: { readonly [name: string]: readonly string[] } = {
  generators: ["generator-peers", "generator-runs", "generator-scaling"],
  dispatch: [
    "dispatch-memory",
    "dispatch-stdio",
    "dispatch-latency",
    "dispatch-heap",
    "dispatch-outgoing",
    "runtime-size",
  ],
};

const PEERS = [
  "@hey-api/openapi-ts",
  "quicktype",
  "@agentclientprotocol/sdk",
  "zod",
  "ajv",
  "typia",
  "prettier",
];

process.exitCode = await main(process.argv.slice(2));

/** Runs and prints the comparisons; 0 when all could be made. */
async function main(args: readonly string[]): Promise<number> {
  const names = args.flatMap((name) => (Object.hasOwn(GROUPS, name) ? GROUPS[name]! : [name]));
  const unknown = names.find((name) => !Object.hasOwn(COMPARISONS, name));
  if (unknown !== undefined) {
    const known = [...Object.keys(COMPARISONS), ...Object.keys(GROUPS)].join(", ");
    process.stderr.write(`error: there is no comparison "${unknown}"; there are: ${known}\n`);
    return 2;
  }
  say(describeMachine());
  const goals: Goal[] = [];
  let code = 0;
  for (const name of names.length > 0 ? names : Object.keys(COMPARISONS)) {
    try {
      const report = await COMPARISONS[name]!();
      goals.push(...report.goals);
      say(formatReport(report));
    } catch (error) {
      if (!(error instanceof MissingError)) throw error;
      process.stderr.write(`${name} is left out: ${error.message}\n\n`);
      code = 1;
    }
  }
  say(describeGoals(goals));
  say(describeLoad());
  return code;
}

function describeGoals(goals: readonly Goal[]): string {
  const missed = goals.filter((goal) => !isMet(goal)).map(({ what }) => what);
  const met = `${goals.length - missed.length} of ${goals.length} targets are met`;
  return missed.length === 0 ? met : `${met}; missed: ${missed.join("; ")}`;
}

function describeMachine(): string {
  const versions = PEERS.map((name) => `${name} ${installedVersion(name) ?? "(absent)"}`);
  const cores = cpus();
  return [
    `Node ${process.version} on ${process.platform} ${process.arch}, ${cores.length} cores (${cores[0]?.model ?? "unknown"})`,
    versions.join(", "),
    describeLoad(),
    "",
  ].join("\n");
}

/** Figures taken while others use the machine are worth less; this says whether they did. */
function describeLoad(): string {
  return `load average of the last minute: ${loadavg()[0]!.toFixed(2)} processes`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
