import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSchemas } from "../../fixtures/exporters/schemas.js";
import { ROOT } from "../paths.js";
import type { Report } from "../report.js";
import { runProcess } from "./run-process.js";

/** How often the definitions of a schema are repeated, under other names. */
const TIMES = [1, 4, 16];

const ROUNDS = 3;

/** Imports of schemas with up to thousands of definitions: CPU time and memory grow with their number. */
export function compareScale(): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-scale-"));
  try {
    const runs = TIMES.map((times) => {
      const { text, definitions } = repeated(times);
      const file = join(folder, `schema-${times}.json`);
      writeFileSync(file, text);
      const costs = Array.from({ length: ROUNDS }, () => runImport(file, folder));
      const least = (of: (cost: (typeof costs)[number]) => number): number =>
        Math.min(...costs.map(of));
      return { definitions, cpu: least(({ cpu }) => cpu), memory: least(({ memory }) => memory) };
    });
    const [first, last] = [runs.at(-2)!, runs.at(-1)!];
    const growth = last.definitions / first.definitions;
    return {
      title: "Imports of large schemas",
      notes: [
        "the schema that Zod makes of the SDK of ACP, repeated under other names; all targets of a run without --target",
        `the least of ${ROUNDS} runs without a cache`,
      ],
      columns: ["definitions", "CPU", "memory"],
      rows: runs.map(({ definitions, cpu, memory }) => [
        String(definitions),
        `${cpu.toFixed(1)} s`,
        `${Math.round(memory)} MB`,
      ]),
      goals: [
        {
          what: `CPU of ${last.definitions} definitions by that of ${first.definitions}, per definition`,
          ...{ bound: "at most", target: 1.1, unit: "×" },
          measured: last.cpu / first.cpu / growth,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a schema with its definitions several times. */
function repeated(times: number): { readonly text: string; readonly definitions: number } {
  const { $defs } = readSchemas()["sdk-acp"]!;
  const copies = Array.from({ length: times }, (_, index) => {
    const text = JSON.stringify($defs).replaceAll('"#/$defs/', `"#/$defs/C${index}`);
    return Object.entries(JSON.parse(text) as object).map(
      ([name, schema]) => [`C${index}${name}`, schema as unknown] as const,
    );
  });
  const all = Object.fromEntries(copies.flat());
  return { text: JSON.stringify({ $defs: all }), definitions: Object.keys(all).length };
}

/** Prints the most memory that a process has had, in KiB, when it ends. */
const METER = `process.on("exit",()=>require("fs").writeFileSync(process.env.METER,String(process.resourceUsage().maxRSS)))`;

function runImport(
  file: string,
  folder: string,
): { readonly cpu: number; readonly memory: number } {
  const [meter, result] = [join(folder, "meter.cjs"), join(folder, "memory.txt")];
  writeFileSync(meter, METER);
  const out = join(folder, "out");
  rmSync(out, { recursive: true, force: true });
  const args = ["generate", "--no-config", "--schema", file, "--protocol", "v1", "--out", out];
  const command = [process.execPath, "--require", meter, join(ROOT, "dist/cli/main.js"), ...args];
  const cache = join(folder, "cache");
  rmSync(cache, { recursive: true, force: true });
  const { cpu } = runProcess(command, { ACP_CODEGEN_CACHE: cache, METER: result });
  return { cpu, memory: Number(readFileSync(result, "utf8")) / 1024 };
}
