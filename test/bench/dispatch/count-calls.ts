import { execFileSync } from "node:child_process";
import { ROOT } from "../paths.js";
import type { Report } from "../report.js";

/** Returns how many functions of the bindings are called for an update, on both sides together. */
export function countCalls(): number {
  const program = "test/bench/dispatch/count-calls.mjs";
  return Number(execFileSync(process.execPath, [program], { cwd: ROOT, encoding: "utf8" }));
}

/** The calls of functions for an update, which noise on the machine cannot change. */
export function reportCalls(): Report {
  const calls = countCalls();
  return {
    title: "Dispatch: calls of functions for an update, in memory",
    notes: ["a chunk of text, from the agent's call to the client's handler; counted by V8"],
    columns: ["", "calls"],
    rows: [["ours", `${calls}`]],
    goals: [
      { what: "calls for an update", bound: "at most", target: 164, measured: calls, unit: "" },
    ],
  };
}
