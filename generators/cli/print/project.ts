import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../../run/init/init.js";
import { BINDINGS } from "../../run/init/starter.js";
import { displayPath } from "../../run/messages.js";
import { count } from "./format.js";

/** Prints what `init` has written, or would write, and what to do next. */
export function printProject({ folder, files, isStarter }: Project, dryRun: boolean): string {
  const shown = displayPath(folder);
  const inFolder = (path: string): string => displayPath(join(folder, path));
  const { path: first, text } = files[0]!;
  if (!isStarter) {
    return dryRun
      ? `would write ${inFolder(first)}:\n\n${text.trimEnd()}`
      : `done: ${inFolder(first)}\nNext: npx acp-codegen generate`;
  }
  if (dryRun) {
    const row = (path: string): string =>
      `  ${existsSync(join(folder, path)) ? "changed" : "missing"}  ${inFolder(path)}`;
    return [...files.map(({ path }) => row(path)), `${row(BINDINGS.out)}/`].sort().join("\n");
  }
  const steps = [...(shown === "." ? [] : [`cd ${shown}`]), "npm install", "npm test"];
  return `done: ${count(files.length, "file")} and the bindings in ${shown}\nNext: ${steps.join(" && ")}`;
}
