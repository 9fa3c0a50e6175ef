import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { PUBLISHED, ROOT } from "../run/installation.js";
import { withSlashes } from "../run/messages.js";

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
  return [toolCommand(process.cwd()), ...kept.map(quoted)].join(" ");
}

/**
 * Returns the command that starts this tool in a folder: by its name, or by its path where npx would ask
 * a registry for the name, until the tool is there.
 *
 * @param published whether the registry has the tool
 */
export function toolCommand(folder: string, published = PUBLISHED): string {
  if (published || isInstalled(folder)) return "npx acp-codegen";
  return `node ${quoted(withSlashes(relative(folder, join(ROOT, "bin/acp-codegen.js"))))}`;
}

/** Whether npx finds the tool from a folder without a registry. */
function isInstalled(folder: string): boolean {
  if (folder === resolve(ROOT) || existsSync(join(folder, "node_modules/.bin/acp-codegen")))
    return true;
  return dirname(folder) !== folder && isInstalled(dirname(folder));
}

/** Quotes an argument for a POSIX shell, where it needs it. */
export function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
