import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { interleave, type Contestant } from "../interleave.js";
import {
  findStanding,
  ratioGoals,
  roundsNote,
  standingCells,
  standingColumns,
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
    const run = (name: string, prepare: (tool: ToolCopy) => void): Contestant => {
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
    const contestants = [
      run(COLD, forget),
      run(CHANGED, ({ changeDefinition }) => changeDefinition()),
      run(SAME, () => undefined),
    ];
    const standings = interleave(contestants, ROUNDS);
    const cold = findStanding(standings, COLD);
    const goal = (name: string, target: number): readonly Goal[] =>
      ratioGoals(
        `v1, ${name}: times faster than cold`,
        target,
        cold,
        findStanding(standings, name),
      );
    return {
      title: "Runs one after the other, v1",
      notes: [
        "all targets of a run without --target; each run is a new process of the compiled command, without certificates of its own",
        roundsNote(ROUNDS),
      ],
      columns: ["run", ...standingColumns(COLD)],
      rows: standings.map((standing) => [standing.name, ...standingCells(standing, cold)]),
      goals: [...goal(CHANGED, 3), ...goal(SAME, 15)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
