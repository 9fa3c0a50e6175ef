import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, type Implementation } from "../interleave.js";
import { COMMAND, requireFile, upstreamSchema } from "../paths.js";
import {
  findResult,
  ratioGoals,
  roundsNote,
  resultCells,
  resultColumns,
  type Report,
} from "../report.js";
import { runProcess } from "./run-process.js";

/** A generator as a command that writes into a folder. */
interface Generator {
  readonly name: string;
  readonly command: (out: string) => readonly string[];
}

const PEER = "openapi-ts";
const OURS = "ours, compiled";
/** Types and checks, as the peer makes, and the roles that it does not make. */
const TARGETS = ["types", "schemas", "roles"];
const ROUNDS = { warmup: 1, measured: 9 };

/** Whole runs of our generator and of the peer's, from process start to exit, with nothing cached. */
export function compareGenerators(): Report {
  const generators = [ours(), openapiTs()];
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    const outputs = generators.map((_, index) => join(folder, String(index)));
    const implementations = generators.map(({ name, command }, index): Implementation => {
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
    const results = interleave(implementations, ROUNDS);
    const own = findResult(results, OURS);
    const peer = findResult(results, PEER);
    return {
      title: "Whole run of the generator, v1",
      notes: [
        "ours: types, schemas, roles; openapi-ts: types and zod schemas; both format what people read with prettier",
        "each run is a new process that writes into an empty folder, without a cache or certificates of its own; CPU time of all its processes",
        roundsNote(ROUNDS),
      ],
      columns: ["generator", ...resultColumns(PEER), "output"],
      rows: results.map((result, index) => [
        result.name,
        ...resultCells(result, peer),
        describeOutput(outputs[index]!),
      ]),
      goals: ratioGoals(`a cold run of v1, ${PEER} by ours`, 1, peer, own),
    };
  } finally {
    clear(folder);
  }
}

function ours(): Generator {
  const options = ["generate", "--no-config", "--profile", "v1", "--target", ...TARGETS];
  const command = requireFile(COMMAND);
  return {
    name: OURS,
    command: (out) => [process.execPath, command, ...options, "--out", out],
  };
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
