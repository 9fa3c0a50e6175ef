import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { VirtualFile } from "../../output/file.js";
import { codeOf, toOutputError } from "../../output/output-error.js";
import { recoverOutput, writeOutput } from "../../output/disk/write.js";
import { onShutdown } from "../cleanup.js";
import { generate } from "../generate/generate.js";
import { acquireLock } from "../generate/lock.js";
import { displayPath, usageError } from "../messages.js";
import { configFor, refuseOtherConfigs, type ProjectFile } from "./config-file.js";
import { bindingsOf, starterFiles, type Bindings } from "./starter.js";

export interface InitOptions {
  /** The name of a starter project; only a configuration is written when absent. */
  readonly starter?: string;
  /** The language of the starter project; TypeScript when absent. */
  readonly language?: string;
  /** The name of the project; that of its folder when absent. */
  readonly name?: string;
  /** Overwrite files that exist. */
  readonly force?: boolean;
  /** List the files without writing them. */
  readonly dryRun?: boolean;
}

/** The files that `init` writes. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  /** The files to copy; the last one is written last. */
  readonly files: readonly ProjectFile[];
  /** The other files of a starter; undefined for a configuration alone. */
  readonly starter?: Bindings;
}

/**
 * Writes a commented configuration, or a whole starter project with its bindings.
 * It does not overwrite files without `force`, and writes nothing when it fails.
 *
 * @param path the folder of the project; the working directory when absent
 * @returns the project that was written, or in a dry run would be
 * @throws InputError for wrong options and when files are in the way, OutputError when writing fails
 */
export async function init(path: string | undefined, options: InitOptions): Promise<Project> {
  const folder = resolve(path ?? ".");
  const { starter, language, name, force = false, dryRun = false } = options;
  if (starter === undefined) {
    if (name !== undefined) throw usageError("--name requires --starter", "Add --starter.");
    if (language !== undefined) throw usageError("--language requires --starter", "Add --starter.");
  }
  const files =
    starter === undefined ? [configFor(folder)] : starterFiles(folder, { starter, language, name });
  const project: Project = {
    folder,
    files,
    ...(starter !== undefined && { starter: bindingsOf(files) }),
  };
  if (dryRun) refuseOthers(project, force);
  else await writeProject(project, force);
  return project;
}

async function writeProject(project: Project, force: boolean): Promise<void> {
  const { folder, files, starter } = project;
  const unlock = await acquireLock(folder, { timeoutMs: 0 });
  let undo = (): void => {};
  const forget = onShutdown(() => {
    undo();
    unlock();
  });
  try {
    recoverOutput(folder);
    refuseOthers(project, force);
    if (starter !== undefined) {
      const bindings = join(folder, starter.out);
      const made = firstMissing(folder, starter.out);
      if (made !== undefined) undo = () => rmSync(made, { recursive: true, force: true });
      await generate({ ...starter.options, out: bindings, force });
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

/** Returns the first folder on the way to a path that does not exist yet. */
function firstMissing(folder: string, path: string): string | undefined {
  const parts = path.split("/");
  const ways = parts.map((_, index) => join(folder, ...parts.slice(0, index + 1)));
  return ways.find((way) => !existsSync(way));
}

/** Throws when files exist that would be overwritten. */
function refuseOthers({ folder, files, starter }: Project, force: boolean): void {
  if (starter === undefined) return refuseOtherConfigs(folder, files[0]!.path, force);
  // A repository without files counts as empty; so does what this run has written.
  const found = namesIn(folder).filter((name) => name !== ".git" && !/^\.acp-codegen/.test(name));
  if (found.length === 0 || force) return;
  const shown = found.slice(0, 3).join(", ") + (found.length > 3 ? ", …" : "");
  throw usageError(
    `${displayPath(folder)} is not empty: ${shown}`,
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
