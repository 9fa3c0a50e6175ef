import { resolve } from "node:path";
import { ROOT } from "../run/installation.js";

/** Flags that keep a run from writing, or change what it prints. */
const DROPPED: readonly string[] = ["--check", "--dry-run", "--json", "-q", "--quiet"];

/**
 * Returns the command that updates the output: the arguments of this run without
 * those that keep it from writing. The repository of the tool has a script for it.
 */
export function commandLine(args: readonly string[]): string {
  const kept = args.filter((arg) => !DROPPED.includes(arg));
  if (kept.length === 1 && kept[0] === "generate" && resolve(ROOT) === process.cwd()) {
    return "npm run generate";
  }
  return ["npx", "acp-codegen", ...kept.map(quoted)].join(" ");
}

/** Quotes an argument for a POSIX shell, where it needs it. */
export function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
