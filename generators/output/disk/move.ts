import {
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../manifest.js";
import { toOutputError } from "../output-error.js";
import { isMissing, makeFolder } from "./folders.js";
import type { Journal } from "./journal.js";
import { refuseObstacles } from "./obstacles.js";
import { clearStaging, STAGING, succeeds, syncFolder } from "./staging.js";

/**
 * Applies the steps of a journal and clears the staging folder. If a step fails, those before it are
 * undone.
 *
 * @throws OutputError naming the file
 */
export function moveOrUndo(folder: string, journal: Journal): void {
  const undo: (() => void)[] = [];
  try {
    move(folder, journal, undo);
  } catch (error) {
    // If this fails as well, the journal stays, and the next run completes the move.
    if (succeeds(() => undo.reverse().forEach((step) => step()))) clearStaging(folder);
    throw toOutputError(error, folder);
  }
  clearStaging(folder);
}

/**
 * Applies the steps whose files match the journal. The manifest is written last, after everything
 * else.
 *
 * @param undo receives what undoes each step
 */
export function move(folder: string, { write, remove }: Journal, undo: (() => void)[]): void {
  const folders = new Set<string>();
  for (const { path, sha256 } of remove) {
    const file = join(folder, path);
    refuseObstacles(folder, path);
    if (digest(file) !== sha256) continue;
    const backup = keepBackup(folder, path);
    if (backup === undefined) continue;
    rmSync(file);
    undo.push(() => renameSync(backup, file));
    folders.add(dirname(file));
  }
  for (const { path, sha256, replaces } of write) {
    const staged = join(folder, STAGING, "files", path);
    const file = join(folder, path);
    refuseObstacles(folder, `${STAGING}/files/${path}`);
    refuseObstacles(folder, path);
    if (digest(staged) !== sha256 || digest(file) !== replaces) continue;
    const backup = keepBackup(folder, path);
    makeFolder(dirname(file));
    renameSync(staged, file);
    // Back to where it was staged: if undoing fails as well, the next run has it all.
    undo.push(() => {
      renameSync(file, staged);
      if (backup !== undefined) renameSync(backup, file);
    });
    folders.add(dirname(file));
  }
  folders.forEach(syncFolder);
  for (const { path } of remove) removeEmptyFolders(folder, dirname(path));
}

/** Returns the digest of a file; undefined when it does not exist. */
export function digest(file: string): string | undefined {
  return existsSync(file) ? sha256(readFileSync(file)) : undefined;
}

/** Removes folders that are empty now, except for the output folder itself. */
function removeEmptyFolders(folder: string, path: string): void {
  for (let place = path; place !== "."; place = dirname(place)) {
    if (!succeeds(() => rmdirSync(join(folder, place)))) return;
  }
}

/** Gives a file that is about to be removed a second name; `undefined` when it does not exist. */
function keepBackup(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  if (isMissing(file)) return undefined;
  refuseObstacles(folder, `${STAGING}/backup/${path}`);
  const backup = join(folder, STAGING, "backup", path);
  makeFolder(dirname(backup));
  rmSync(backup, { force: true });
  try {
    linkSync(file, backup);
  } catch {
    // Not every file system has hard links.
    copyFileSync(file, backup);
  }
  return backup;
}
