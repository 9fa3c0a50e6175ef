import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Drift } from "./drift.js";
import { isOutputPath } from "./file.js";
import { codeOf, OutputError, toOutputError } from "./output-error.js";
import { isObject } from "../schema/json-schema/json.js";

/** Holds new files until all of them are written; never left behind by a run that ends. */
const STAGING = ".acp-codegen";
const JOURNAL = "journal.json";

/** The remaining steps once all files are staged. */
interface Journal {
  readonly write: readonly string[];
  readonly remove: readonly string[];
}

/**
 * Returns the text of a file below the output folder; `undefined` when it does not exist.
 *
 * @throws OutputError when something is there that cannot be read
 */
export function readOutput(folder: string, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return undefined;
    throw new OutputError(`${join(folder, path)} cannot be read (${codeOf(error)})`, {
      cause: error,
    });
  }
}

/**
 * Makes the output folder as it should be. All new texts are staged and synced
 * first, then moved into place, the manifest last. If a move fails, those
 * before it are undone; if the process dies in between, the next run completes
 * them. Files that are as they should be are not touched.
 *
 * @param folder the output folder; made when it does not exist
 * @param manifest path and text of the manifest
 * @throws OutputError naming the file; the output folder is then unchanged
 */
export function writeOutput(
  folder: string,
  drift: Pick<Drift, "write" | "remove">,
  manifest: { readonly path: string; readonly text: string },
): void {
  const staging = join(folder, STAGING);
  const texts = new Map(drift.write.map(({ file }) => [file.path, file.text]));
  if (readOutput(folder, manifest.path) !== manifest.text) texts.set(manifest.path, manifest.text);
  if (texts.size === 0 && drift.remove.length === 0) return;
  const journal: Journal = { write: [...texts.keys()], remove: drift.remove };
  try {
    for (const path of [...journal.write, ...journal.remove]) refuseObstacles(folder, path);
    for (const [path, text] of texts) writeSynced(join(staging, "files", path), text);
    writeSynced(join(staging, JOURNAL), JSON.stringify(journal));
    syncFolder(staging);
  } catch (error) {
    clear(staging);
    throw toOutputError(error, folder);
  }
  moveOrUndo(folder, journal);
}

/**
 * Completes or clears what a run that was killed left behind.
 *
 * @throws OutputError when that is not possible; the next run tries again
 */
export function recoverOutput(folder: string): void {
  const staging = join(folder, STAGING);
  if (!existsSync(staging)) return;
  const journal = readJournal(join(staging, JOURNAL));
  try {
    // There is no way back from here: what the killed run has moved is not known.
    if (journal !== undefined) move(folder, journal, []);
  } catch (error) {
    throw toOutputError(error, folder);
  }
  clear(staging);
}

/** Checks whether a run was killed while it moved files: the tree is a mix of two until the next run. */
export function isInterrupted(folder: string): boolean {
  return existsSync(join(folder, STAGING, JOURNAL));
}

/** Removes what was staged; the error that led here is the one to report. */
function clear(staging: string): void {
  // If it fails, the next run tries again.
  succeeds(() => {
    // Remove the journal first: otherwise a kill here could be taken for an unfinished move.
    rmSync(join(staging, JOURNAL), { force: true });
    rmSync(staging, { recursive: true, force: true });
  });
}

function succeeds(attempt: () => void): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function moveOrUndo(folder: string, journal: Journal): void {
  const undo: (() => void)[] = [];
  try {
    move(folder, journal, undo);
  } catch (error) {
    // If this fails as well, the journal stays, and the next run completes the move.
    if (succeeds(() => undo.reverse().forEach((step) => step()))) clear(join(folder, STAGING));
    throw toOutputError(error, folder);
  }
  clear(join(folder, STAGING));
}

/** The manifest is the last entry to write, so everything else has happened when it changes. */
function move(folder: string, { write, remove }: Journal, undo: (() => void)[]): void {
  const folders = new Set<string>();
  for (const path of remove) {
    const file = join(folder, path);
    const backup = keepBackup(folder, path);
    if (backup === undefined) continue;
    rmSync(file);
    undo.push(() => renameSync(backup, file));
    folders.add(dirname(file));
  }
  for (const path of write) {
    const staged = join(folder, STAGING, "files", path);
    const file = join(folder, path);
    if (!existsSync(staged)) continue;
    const backup = keepBackup(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    renameSync(staged, file);
    // Back to where it was staged: if undoing fails as well, the next run has it all.
    undo.push(() => {
      renameSync(file, staged);
      if (backup !== undefined) renameSync(backup, file);
    });
    folders.add(dirname(file));
  }
  folders.forEach(syncFolder);
  for (const path of remove) removeEmptyFolders(folder, dirname(path));
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
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  const backup = join(folder, STAGING, "backup", path);
  mkdirSync(dirname(backup), { recursive: true });
  rmSync(backup, { force: true });
  try {
    linkSync(file, backup);
  } catch {
    // Not every file system has hard links.
    copyFileSync(file, backup);
  }
  return backup;
}

function readJournal(file: string): Journal | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isObject(value)) return undefined;
    const lists = [value["write"], value["remove"]];
    const isOurs = lists.every((list) => Array.isArray(list) && list.every(isOutputPath));
    return isOurs ? (value as unknown as Journal) : undefined;
  } catch {
    return undefined;
  }
}

function writeSynced(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const descriptor = openSync(file, "w", 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Renames last only once their folder is synced; not every system can open one. */
function syncFolder(folder: string): void {
  succeeds(() => {
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

/** A link below the output folder could lead out of it; a folder is never a file of ours. */
function refuseObstacles(folder: string, path: string): void {
  const advice = "Remove it, or choose another output folder.";
  const segments = path.split("/");
  for (let count = 1; count <= segments.length; count++) {
    const place = join(folder, ...segments.slice(0, count));
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isSymbolicLink()) throw new OutputError(`${place} is a symbolic link. ${advice}`);
    const isLast = count === segments.length;
    if (!isLast && !stat.isDirectory()) {
      throw new OutputError(`${place} is not a folder. ${advice}`);
    }
    if (isLast && !stat.isFile()) throw new OutputError(`${place} is not a file. ${advice}`);
  }
}

function isCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}
