import { resolve } from "node:path";
import { ROOT } from "../run/installation.js";

/**
 * What to type to bring the output up to date: the arguments of this run,
 * without what kept it from writing. In the tool's own repository there is one
 * script for everything generated.
 */
export function commandLine(args: readonly string[]): string {
  const kept = args.filter(
    (arg) => !["--check", "--dry-run", "--json", "-q", "--quiet"].includes(arg),
  );
  if (kept.length === 1 && kept[0] === "generate" && resolve(ROOT) === process.cwd()) {
    return "npm run generate";
  }
  return ["npx", "acp-codegen", ...kept.map(quoted)].join(" ");
}

/** An argument as a POSIX shell takes it. */
function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
