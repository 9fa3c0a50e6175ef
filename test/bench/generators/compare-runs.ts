import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, type Implementation } from "../interleave.js";
import {
  findResult,
  ratioGoals,
  roundsNote,
  resultCells,
  resultColumns,
  type Goal,
  type Report,
} from "../report.js";
import { runProcess } from "./run-process.js";
import { copyTool, type ToolCopy } from "./tool-copy.js";

const COLD = "cold";
const CHANGED = "one definition changed";
const SAME = "nothing changed";
const ROUNDS = { warmup: 1, measured: 9 };

/** Runs of the compiled command for all of v1: the first one, and those after it. */
export function compareRuns(): Report {
  const folder = mkdtempSync(join(tmpdir(), "acp-codegen-bench-"));
  try {
    const run = (name: string, prepare: (tool: ToolCopy) => void): Implementation => {
      const tool = copyTool(join(folder, "tools", name));
      return {
        name,
        run: () => {
          prepare(tool);
          const out = join(folder, "out", name);
          const args = ["generate", "--no-config", "--profile", "v1", "--out", out];
          return runProcess([...tool.command, ...args], {
            ACP_CODEGEN_CACHE: join(folder, "cache", name),
          });
        },
      };
    };
    const forget = (): void =>
      ["out", "cache"].forEach((part) =>
        rmSync(join(folder, part, COLD), { recursive: true, force: true }),
      );
    const implementations = [
      run(COLD, forget),
      run(CHANGED, ({ changeDefinition }) => changeDefinition()),
      run(SAME, () => undefined),
    ];
    const results = interleave(implementations, ROUNDS);
    const cold = findResult(results, COLD);
    const goal = (name: string, target: number): readonly Goal[] =>
      ratioGoals(`v1, ${name}: times faster than cold`, target, cold, findResult(results, name));
    return {
      title: "Runs one after the other, v1",
      notes: [
        "all targets of a run without --target; each run is a new process of the compiled command, without certificates of its own",
        roundsNote(ROUNDS),
      ],
      columns: ["run", ...resultColumns(COLD)],
      rows: results.map((result) => [result.name, ...resultCells(result, cold)]),
      goals: [...goal(CHANGED, 3), ...goal(SAME, 15)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
