import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, type Contestant } from "../interleave.js";
import { MissingError, ROOT, upstreamSchema } from "../paths.js";
import {
  findStanding,
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
/** The first round also fills the cache of tsx, whose compiler would run in a process of its own. */
const ROUNDS = { warmup: 1, measured: 9 };
const COMPILED = join(ROOT, "dist/cli/main.js");

/** Whole runs of our generator and of the one that the official SDK uses, from process start to exit. */
export function compareGenerators(): Report {
  const generators = [...ourGenerators(), openapiTs()];
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    const outputs = generators.map((_, index) => join(folder, String(index)));
    const contestants = generators.map(({ name, command }, index): Contestant => {
      const out = outputs[index]!;
      return { name, run: () => (clear(out), runProcess(command(out))) };
    });
    const standings = interleave(contestants, ROUNDS);
    const peer = findStanding(standings, PEER);
    return {
      title: "Whole run of the generator, v1",
      notes: [
        "ours: schema, types, validators, decoders, dispatch, package; openapi-ts: types and zod schemas; both format what people read with prettier",
        "each run is a new process that writes into an empty folder; CPU time of all its processes",
        ...(existsSync(COMPILED) ? [] : ["the compiled command is absent: npm run build makes it"]),
        roundsNote(ROUNDS),
      ],
      columns: ["generator", ...standingColumns(PEER), "output"],
      rows: standings.map((standing, index) => [
        standing.name,
        ...standingCells(standing, peer),
        describeOutput(outputs[index]!),
      ]),
      goals: [],
    };
  } finally {
    clear(folder);
  }
}

function ourGenerators(): Generator[] {
  const rest = (out: string): string[] => ["generate", "--profile", "v1", "--out", out];
  const source = ["--import", "tsx", join(ROOT, "generators/cli/main.ts")];
  return [
    { name: "ours, compiled", entry: [COMPILED] },
    { name: "ours, from source with tsx", entry: source },
  ]
    .filter(({ entry }) => existsSync(entry.at(-1)!))
    .map(({ name, entry }) => ({
      name,
      command: (out) => [process.execPath, ...entry, ...rest(out)],
    }));
}

function openapiTs(): Generator {
  const script = fileURLToPath(new URL("openapi-ts.mjs", import.meta.url));
  const args = [script, resolvePeer(), upstreamSchema()];
  return {
    name: PEER,
    command: (out) => [process.execPath, ...args, out],
  };
}

function resolvePeer(): string {
  try {
    return import.meta.resolve("@hey-api/openapi-ts");
  } catch {
    // 0.95.0 is the newest that runs on Node 20.
    const remedy = "npm i -D --save-exact @hey-api/openapi-ts@0.95.0";
    throw new MissingError(`@hey-api/openapi-ts is not installed: run ${remedy}`);
  }
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
