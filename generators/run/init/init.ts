import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VirtualFile } from "../../output/file.js";
import { codeOf, OutputError, toOutputError } from "../../output/output-error.js";
import { recoverOutput, writeOutput } from "../../output/write.js";
import type { InitFlags } from "../../cli/flags.js";
import { generate } from "../generate/generate.js";
import { configFor, refuseOtherConfigs, type ProjectFile } from "./config-file.js";
import { acquireLock } from "../generate/lock.js";
import { displayPath } from "../../cli/print/report.js";
import { onShutdown } from "../../cli/shutdown.js";
import { BINDINGS, starterFiles } from "./starter.js";
import { usageError } from "../usage-error.js";

/** What `init` writes. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  /** What is copied; the last one is written last. */
  readonly files: readonly ProjectFile[];
  /** Whether it is a starter, which gets bindings as well. */
  readonly isStarter: boolean;
}

/**
 * Writes a commented configuration, or a whole starter project with its bindings.
 * It asks nothing, overwrites nothing unless told to, and when it fails has written nothing.
 *
 * @param place the project's folder; this one when absent
 * @returns what was written, or would be in a dry run
 * @throws InputError for wrong flags, OutputError when something or the disk is in the way
 */
export async function init(place: string | undefined, flags: InitFlags): Promise<Project> {
  const folder = resolve(place ?? ".");
  const { starter, name, force = false, dryRun = false } = flags;
  if (starter === undefined && name !== undefined) {
    throw usageError("--name is about --starter", "Give --starter as well.");
  }
  const files = starter === undefined ? [configFor(folder)] : starterFiles(starter, folder, name);
  const project: Project = { folder, files, isStarter: starter !== undefined };
  if (dryRun) refuseOthers(project, force);
  else await writeProject(project, force);
  return project;
}

async function writeProject(project: Project, force: boolean): Promise<void> {
  const { folder, files, isStarter } = project;
  const bindings = join(folder, BINDINGS.out);
  const unlock = await acquireLock(folder, { patience: 0 });
  let undo = (): void => {};
  const forget = onShutdown(() => {
    undo();
    unlock();
  });
  try {
    recoverOutput(folder);
    refuseOthers(project, force);
    if (isStarter) {
      if (!existsSync(bindings)) undo = () => rmSync(bindings, { recursive: true, force: true });
      await generate({ ...BINDINGS, out: bindings, force });
    }
    const [last, ...others] = files.map(toVirtualFile).reverse();
    const write = others.map((file) => ({ file, exists: false }));
    writeOutput(folder, { write, remove: [] }, last!);
  } catch (error) {
    undo();
    throw error;
  } finally {
    forget();
    unlock();
  }
}

/** What is there already stays as it is, unless it is to be overwritten. */
function refuseOthers({ folder, files, isStarter }: Project, force: boolean): void {
  if (!isStarter) return refuseOtherConfigs(folder, files[0]!.path, force);
  // A repository without any file is as good as nothing; so is what this run has made.
  const found = namesIn(folder).filter((name) => name !== ".git" && !/^\.acp-codegen/.test(name));
  if (found.length === 0 || force) return;
  const shown = found.slice(0, 3).join(", ") + (found.length > 3 ? ", …" : "");
  throw new OutputError(
    `${displayPath(folder)} is not empty: ${shown}. ` +
      "Name a new folder, or overwrite what is in the way with --force.",
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw toOutputError(error, folder);
  }
}

function toVirtualFile({ path, text }: ProjectFile): VirtualFile {
  return { path, text, language: "plain", profile: "*", target: "init" };
}

/** What was done, and what to do next. */
export function printProject({ folder, files, isStarter }: Project, dryRun: boolean): string {
  const shown = displayPath(folder);
  const inFolder = (path: string): string => displayPath(join(folder, path));
  if (dryRun) {
    if (!isStarter)
      return `would write ${inFolder(files[0]!.path)}:\n\n${files[0]!.text.trimEnd()}`;
    const row = (path: string): string =>
      `  ${existsSync(join(folder, path)) ? "changed" : "missing"}  ${inFolder(path)}`;
    return [...files.map(({ path }) => row(path)), `${row(BINDINGS.out)}/`].sort().join("\n");
  }
  if (!isStarter) return `done: ${inFolder(files[0]!.path)}\nNext: npx acp-codegen generate`;
  const steps = [...(shown === "." ? [] : [`cd ${shown}`]), "npm install", "npm test"];
  return `done: ${files.length} files and the bindings in ${shown}\nNext: ${steps.join(" && ")}`;
}
