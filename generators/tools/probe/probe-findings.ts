import type { Finding, Inspector, Side } from "../inspect/inspector-api.js";
import type { Passed } from "./raw-client.js";

export interface ProbeFinding extends Finding {
  /** How often it came. */
  readonly count: number;
}

/** Checks what has passed, and returns what is wrong with the messages of the agent. */
export function findingsIn(passed: readonly Passed[], inspector: Inspector): ProbeFinding[] {
  const found = new Map<string, { finding: Finding; count: number }>();
  const add = ({ level, rule, path, message }: Finding, from: Side): void => {
    if (level === "note" || from === "client") return;
    const key = `${rule} ${path.replace(/\/\d+(?=\/|$)/g, "/*")}`;
    const known = found.get(key) ?? { finding: { level, rule, path, message }, count: 0 };
    known.count += 1;
    found.set(key, known);
  };
  for (const [index, { from, ...what }] of passed.entries()) {
    if ("text" in what) {
      const message = `the agent wrote ${JSON.stringify(what.text.slice(0, 80))} between its messages`;
      add({ level: "error", rule: "not-json", path: "", message }, from);
      continue;
    }
    const inspected = inspector.inspect({ message: what.message, from }, index);
    for (const finding of inspected.findings) add(finding, from);
    for (const { path = "", ...violation } of inspected.violations)
      add({ ...violation, path }, passed[violation.line]!.from);
  }
  // The end is ours: what an agent has left open then is not its fault.
  return [...found.values()].map(({ finding, count }) => ({ ...finding, count }));
}
