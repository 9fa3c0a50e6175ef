import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { interleave, type Cost } from "../interleave.js";
import { COMMAND, requireFile, upstreamSchema } from "../paths.js";
import { findStanding, roundsNote, THREE_DIGITS, type Report } from "../report.js";
import { runProcess } from "./run-process.js";

const FACTORS = [1, 4, 16] as const;
const MOST = 16;
const ROUNDS = { warmup: 0, measured: 5 };
/** What one protocol may cost more when it has sixteen times the definitions, and how much memory. */
const LIMITS = { time: 18, mebibytes: 512, allProfiles: 25 };

interface Schema {
  readonly $defs: { readonly [name: string]: { readonly [keyword: string]: unknown } };
}

/** How time and memory grow with the number of definitions, and what all profiles take. */
export function measureScaling(): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  const command = requireFile(COMMAND, "npm run build:command");
  const hook = fileURLToPath(new URL("report-memory.mjs", import.meta.url));
  const peaks = new Map<string, number[]>();
  const measure = (name: string, args: readonly string[]): Cost => {
    for (const part of ["out", "cache"])
      rmSync(join(folder, part), { recursive: true, force: true });
    const peak = join(folder, "peak");
    const out = ["--no-config", "--out", join(folder, "out")];
    const cost = runProcess(
      [process.execPath, "--import", hook, command, "generate", ...out, ...args],
      { ACP_CODEGEN_CACHE: join(folder, "cache"), PEAK_FILE: peak },
    );
    peaks.set(name, [...(peaks.get(name) ?? []), Number(readFileSync(peak, "utf8"))]);
    return cost;
  };
  try {
    const upstream = JSON.parse(readFileSync(upstreamSchema(), "utf8")) as Schema;
    const sized = FACTORS.map((factor) => {
      const file = join(folder, `${factor}.json`);
      const schema = multiply(upstream, factor);
      writeFileSync(file, JSON.stringify(schema));
      const name = `${Object.keys(schema.$defs).length} definitions`;
      return { name, run: () => measure(name, ["--schema", file, "--protocol", "v1"]) };
    });
    const all = { name: "six profiles", run: () => measure("six profiles", []) };
    const standings = interleave([...sized, all], ROUNDS);
    const medianOf = (index: number): number => standings[index]!.cpu.median;
    const peakOf = (name: string): number => Math.max(...peaks.get(name)!) / 1024;
    const largest = sized.at(-1)!.name;
    return {
      title: "How a run grows with the schema",
      notes: [
        "upstream's v1 schema, and the same with copies of every definition under other names; all targets of a run without --target, nothing cached",
        roundsNote(ROUNDS),
      ],
      columns: ["input", "CPU", "wall", "peak of memory"],
      rows: standings.map(({ name, cpu, wall }) => [
        name,
        `${THREE_DIGITS.format(cpu.median)} s`,
        `${THREE_DIGITS.format(wall.median)} s`,
        `${peakOf(name).toFixed(0)} MiB`,
      ]),
      goals: [
        {
          what: `${MOST} times the definitions, times the CPU time`,
          bound: "at most",
          target: LIMITS.time,
          measured: medianOf(FACTORS.length - 1) / medianOf(0),
          unit: "×",
        },
        {
          what: `${MOST} times the definitions, peak of memory`,
          bound: "at most",
          target: LIMITS.mebibytes,
          measured: peakOf(largest),
          unit: " MiB",
        },
        {
          what: "all six profiles, wall time",
          bound: "at most",
          target: LIMITS.allProfiles,
          measured: findStanding(standings, all.name).wall.median,
          unit: " s",
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The schema with further copies of its definitions, which refer to each other. */
function multiply(schema: Schema, factor: number): Schema {
  const copies = Array.from({ length: factor - 1 }, (_, index) => copyOf(schema, `Copy${index}`));
  return { ...schema, $defs: Object.assign({}, schema.$defs, ...copies) as Schema["$defs"] };
}

/** One copy of every definition; methods stay with the originals. */
function copyOf({ $defs }: Schema, suffix: string): Schema["$defs"] {
  const text = JSON.stringify($defs).replaceAll(/"#\/\$defs\/\w+/g, (ref) => ref + suffix);
  const copied = Object.entries(JSON.parse(text) as Schema["$defs"]);
  return Object.fromEntries(
    copied.map(([name, { "x-method": _, "x-side": __, ...rest }]) => [name + suffix, rest]),
  );
}
