import type { RuleDoc } from "../rule-doc.js";
import { agent, client, s, start, update } from "../transcript-builder.js";

const read = (path: string, line: number) => [
  ...start(1, { clientHas: { fs: { readTextFile: true } } }),
  agent.ask(9, "fs/read_text_file", s({ path, line })),
  client.result(9, { content: "" }),
];
const planned = (path: string) => [
  ...start(1, { clientHas: { plan: {} } }),
  update("plan_update", { plan: { type: "markdown", planId: "p", content: "# Plan", path } }),
];
const touched = (path: string, line: number) => [
  ...start(2),
  update("tool_call_update", { toolCallId: "x", locations: [{ path, line }] }),
];

/** Rules of places in files. */
export const PATHS: readonly RuleDoc[] = [
  {
    rule: "absolute-paths",
    title: "File paths are absolute",
    rationale:
      "Agent and client may have different working directories, or be on different machines.",
    examples: [
      { valid: read("C:\\a", 1), invalid: read("src/a", 1), line: 5 },
      { valid: touched("/src/a", 1), invalid: touched("src/a", 1), line: 5 },
      { valid: planned("/plan.md"), invalid: planned("plan.md"), line: 5 },
    ],
  },
  {
    rule: "one-based-lines",
    title: "Line numbers start at 1",
    rationale: "With numbers from 0, every location is off by one line.",
    examples: [
      { valid: read("/a", 1), invalid: read("/a", 0), line: 5 },
      { valid: touched("/a", 1), invalid: touched("/a", 0), line: 5 },
    ],
  },
];
