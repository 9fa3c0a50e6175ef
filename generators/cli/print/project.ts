import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../run/init/init.js";
import { displayPath } from "../../run/messages.js";
import { toolCommand } from "../command-line.js";
import { count } from "./format.js";

/** Prints what `init` has written, or would write, and what to do next. */
export function printProject({ folder, files, starter }: Project, dryRun: boolean): string {
  const shown = displayPath(folder);
  const inFolder = (path: string): string => displayPath(join(folder, path));
  const { path: first, text } = files[0]!;
  if (starter === undefined) {
    return dryRun
      ? `would write ${inFolder(first)}:\n\n${text.trimEnd()}`
      : `done: ${inFolder(first)}\n${next(shown, `${toolCommand(folder)} generate`)}`;
  }
  if (dryRun) {
    const row = (path: string): string =>
      `  ${existsSync(join(folder, path)) ? "changed" : "missing"}  ${inFolder(path)}`;
    return [...files.map(({ path }) => row(path)), `${row(starter.out)}/`].sort().join("\n");
  }
  const done = `done: ${count(files.length, "file")} and the bindings in ${shown}`;
  if (!starter.usesNpm) return `${done}\nNext: ${inFolder("README.md")} shows how to run it`;
  return `${done}\n${next(shown, "npm install", "npm test")}`;
}

/** @param folder the one to run the commands in, as it is shown */
function next(folder: string, ...commands: readonly string[]): string {
  const steps = [...(folder === "." ? [] : [`cd ${folder}`]), ...commands];
  return `Next: ${steps.join(" && ")}`;
}
