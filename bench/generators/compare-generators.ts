import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, type Contestant } from "../interleave.js";
import { COMMAND, requireFile, ROOT, upstreamSchema } from "../paths.js";
import {
  findStanding,
  ratioGoals,
  roundsNote,
  standingCells,
  standingColumns,
  type Report,
} from "../report.js";
import { runProcess } from "./run-process.js";

/** A generator as a command that writes into a folder. */
interface Generator {
  readonly name: string;
  readonly command: (out: string) => readonly string[];
}

const PEER = "openapi-ts";
const QUICKTYPE = "quicktype";
const OURS = "ours, compiled";
/** What the peers make: types and what checks values, and the dispatch that they do not make. */
const TARGETS = ["types", "validators", "decoders", "dispatch"];
/** The first round also fills the cache of tsx, whose compiler would run in a process of its own. */
const ROUNDS = { warmup: 1, measured: 9 };

/** Whole runs of our generator and of the peers', from process start to exit, with nothing cached. */
export function compareGenerators(): Report {
  const generators = [...ourGenerators(), openapiTs(), quicktype()];
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    const outputs = generators.map((_, index) => join(folder, String(index)));
    const contestants = generators.map(({ name, command }, index): Contestant => {
      const out = outputs[index]!;
      const cache = join(folder, `cache-${index}`);
      return {
        name,
        run: () => {
          for (const path of [out, cache]) clear(path);
          mkdirSync(out);
          return runProcess(command(out), { ACP_CODEGEN_CACHE: cache });
        },
      };
    });
    const standings = interleave(contestants, ROUNDS);
    const own = findStanding(standings, OURS);
    const peer = findStanding(standings, PEER);
    return {
      title: "Whole run of the generator, v1",
      notes: [
        "ours: types, validators, decoders, dispatch; openapi-ts: types and zod schemas; both format what people read with prettier",
        "quicktype: types and functions that check values, in its own formatting",
        "each run is a new process that writes into an empty folder, without a cache or certificates of its own; CPU time of all its processes",
        roundsNote(ROUNDS),
      ],
      columns: ["generator", ...standingColumns(PEER), "output"],
      rows: standings.map((standing, index) => [
        standing.name,
        ...standingCells(standing, peer),
        describeOutput(outputs[index]!),
      ]),
      goals: [PEER, QUICKTYPE].flatMap((name) =>
        ratioGoals(`a cold run of v1, ${name} by ours`, 1, findStanding(standings, name), own),
      ),
    };
  } finally {
    clear(folder);
  }
}

function ourGenerators(): Generator[] {
  const rest = (out: string): string[] => [
    "generate",
    "--no-config",
    "--profile",
    "v1",
    "--target",
    ...TARGETS,
    "--out",
    out,
  ];
  const source = ["--import", "tsx", join(ROOT, "generators/cli/main.ts")];
  return [
    { name: OURS, entry: [requireFile(COMMAND, "npm run build:command")] },
    { name: "ours, from source with tsx", entry: source },
  ].map(({ name, entry }) => ({
    name,
    command: (out) => [process.execPath, ...entry, ...rest(out)],
  }));
}

function openapiTs(): Generator {
  const script = fileURLToPath(new URL("openapi-ts.mjs", import.meta.url));
  // 0.95.0 is the newest that runs on Node 20.
  const args = [script, import.meta.resolve("@hey-api/openapi-ts"), upstreamSchema()];
  return {
    name: PEER,
    command: (out) => [process.execPath, ...args, out],
  };
}

function quicktype(): Generator {
  const script = requireFile("node_modules/quicktype/dist/index.js", "npm ci");
  const source = ["--src-lang", "schema", `${upstreamSchema()}#/$defs/`];
  return {
    name: QUICKTYPE,
    command: (out) => [
      ...[process.execPath, script, ...source, "--telemetry", "disable"],
      ...["--lang", "typescript", "--out", join(out, "v1.ts")],
    ],
  };
}

function describeOutput(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  const bytes = files.reduce((sum, size) => sum + size, 0);
  return `${files.length} files, ${(bytes / 1000).toFixed(0)} kB`;
}

function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
